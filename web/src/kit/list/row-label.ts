import type { Kind } from '@farlink/contract/kit/field.ts';
import type { AnyRow, Resource } from '@farlink/contract/kit/resource.ts';
import { valueAt } from '../../ui/format.ts';

/**
 * What a person calls a row: the text that opens it, or its first text. A link with words of its own is an address and no name.
 * A row that has neither is called by its account, order or name.
 */
export const rowLabel = (r: Resource | undefined, row: AnyRow): string => {
  const first = (kind: Kind) => r?.columns.find((name) => r.fields[name]?.kind === kind && !r.fields[name].linkText);
  const key = first('link') ?? first('text') ?? r?.columns[0] ?? 'account';
  return String(valueAt(row, key) ?? row.account ?? row.order_no ?? row.name ?? row.id);
};
