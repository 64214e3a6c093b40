import type { LiveRow } from '@farlink/contract/device/live.ts';
import type { Values } from '@farlink/contract/kit/values.ts';

const same = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The row with its updated columns; the same object if nothing changed. */
export const patchRow = <R extends Values>(row: R, columns: Values): R => {
  const updates = Object.entries(columns).filter(([name, value]) => name in row && !same(row[name], value));
  return updates.length === 0 ? row : { ...row, ...Object.fromEntries(updates) };
};

/** Unchanged rows keep their identity, and so does an unchanged list. */
export const patchRows = <R extends Values & { readonly id: number }>(rows: readonly R[], updates: readonly LiveRow[]): readonly R[] => {
  const columnsOf = new Map(updates.map((row) => [row.id, row.columns ?? {}]));
  const next = rows.map((row) => patchRow(row, columnsOf.get(row.id) ?? {}));
  return next.every((row, i) => row === rows[i]) ? rows : next;
};
