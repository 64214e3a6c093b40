import type { LiveRow } from '@farlink/contract/device/live.ts';
import type { Values } from '@farlink/contract/kit/values.ts';

const same = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** A row with what is new of its own columns; the very same row where nothing is. */
export const patchRow = <R extends Values>(row: R, columns: Values): R => {
  const updates = Object.entries(columns).filter(([name, value]) => name in row && !same(row[name], value));
  return updates.length === 0 ? row : { ...row, ...Object.fromEntries(updates) };
};

/** Rows that are not told of stay the same objects, and so does a list of which none is. */
export const patchRows = <R extends Values & { readonly id: number }>(rows: readonly R[], updates: readonly LiveRow[]): readonly R[] => {
  const columnsOf = new Map(updates.map((row) => [row.id, row.columns ?? {}]));
  const next = rows.map((row) => patchRow(row, columnsOf.get(row.id) ?? {}));
  return next.every((row, i) => row === rows[i]) ? rows : next;
};
