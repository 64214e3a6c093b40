import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { limits } from '@farlink/contract/limits.ts';

/** The chosen rows by id, with what was last seen of them: guards look at rows of other pages too. */
export type Selection = ReadonlyMap<number, AnyRow>;

/** Chooses rows as far as there is room; `isFull` where some found none. */
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
  const gone = new Set(ids);
  return new Map([...selection].filter(([id]) => !gone.has(id)));
};

/** The same rows as the list shows them now; a row that it does not show stays as it was. */
export const refreshed = (selection: Selection, rows: readonly AnyRow[]): Selection => {
  const known = rows.filter((row) => selection.has(row.id));
  return known.length === 0 ? selection : new Map([...selection, ...known.map((row) => [row.id, row] as const)]);
};

/** How much of a page is chosen. */
export const shareOf = (selection: Selection, rows: readonly AnyRow[]): 'none' | 'some' | 'all' => {
  const count = rows.filter((row) => selection.has(row.id)).length;
  return count === 0 ? 'none' : count === rows.length ? 'all' : 'some';
};
