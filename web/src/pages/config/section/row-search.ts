import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayFields } from '@farlink/gateway/kit/field.ts';
import { type Refs, valueText } from '../../../kit/document/value-text.ts';

/** Rows that contain all search terms in their displayed values. */
export const searchRows = (fields: GatewayFields, rows: readonly Values[], refs: Refs, typed: string): readonly Values[] => {
  const terms = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return rows;
  const columns = Object.entries(fields);
  return rows.filter((row) => {
    const text = columns
      .map(([name, field]) => valueText(field, row[name], refs))
      .join(' ')
      .toLowerCase();
    return terms.every((term) => text.includes(term));
  });
};
