import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { limits } from '@farlink/contract/limits.ts';

/** The selected rows by id, with their last known values, because conditions also check rows of other pages. */
export type Selection = ReadonlyMap<number, AnyRow>;

/** Selects rows up to the limit; `isFull` if some did not fit. */
export const withRows = (selection: Selection, rows: readonly AnyRow[]): { readonly selection: Selection; readonly isFull: boolean } => {
  const next = new Map(selection);
  let isFull = false;
  for (const row of rows) {
    if (next.has(row.id) || next.size < limits.selectionMax) next.set(row.id, row);
    else isFull = true;
  }
  return { selection: next, isFull };
};

export const withoutIds = (selection: Selection, ids: readonly number[]): Selection => {
  const removed = new Set(ids);
  return new Map([...selection].filter(([id]) => !removed.has(id)));
};

/** Updates the selected rows from the list; rows outside the list stay as they were. */
export const refreshed = (selection: Selection, rows: readonly AnyRow[]): Selection => {
  const known = rows.filter((row) => selection.has(row.id));
  return known.length === 0 ? selection : new Map([...selection, ...known.map((row) => [row.id, row] as const)]);
};

/** Selection state of a page. */
export const shareOf = (selection: Selection, rows: readonly AnyRow[]): 'none' | 'some' | 'all' => {
  const count = rows.filter((row) => selection.has(row.id)).length;
  return count === 0 ? 'none' : count === rows.length ? 'all' : 'some';
};
