import type { Action, Me } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';

const notNow: Text = ['当前数据不支持此操作', 'Not available for this record in its current state'];

export interface SkippedRow {
  readonly row: AnyRow;
  readonly why: Text;
}

/** The reason `why` for one row. */
export const whyNot = ({ why }: Action, row: AnyRow): Text => (typeof why === 'function' ? why(row) : why) ?? notNow;

/** The rows that an action accepts, and the reason for each skipped one. */
export const suitableRows = (action: Action, rows: readonly AnyRow[], me: Me) => {
  const isFit = (row: AnyRow) => action.when?.(row, me) !== false;
  const skipped = rows.filter((row) => !isFit(row)).map((row): SkippedRow => ({ row, why: whyNot(action, row) }));
  return { fit: rows.filter(isFit), skipped };
};
