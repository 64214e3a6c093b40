import type { Kind } from '@farlink/contract/kit/field.ts';
import type { AnyRow, Resource } from '@farlink/contract/kit/resource.ts';
import { valueAt } from '../../ui/format.ts';

/**
 * Display name of a row: its link text, or its first text. A link with `linkText` is a URL, so it is skipped. Otherwise account, order
 * number or name is used.
 */
export const rowLabel = (r: Resource | undefined, row: AnyRow): string => {
  const first = (kind: Kind) => r?.columns.find((name) => r.fields[name]?.kind === kind && !r.fields[name].linkText);
  const key = first('link') ?? first('text') ?? r?.columns[0] ?? 'account';
  return String(valueAt(row, key) ?? row.account ?? row.order_no ?? row.name ?? row.id);
};
