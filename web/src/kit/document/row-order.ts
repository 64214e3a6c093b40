import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';

const orderOf = (row: JsonObject, name: string) => (typeof row[name] === 'number' ? row[name] : Number.POSITIVE_INFINITY);

/** Rows as they take effect, the lowest number first; equals as they stand. */
export const inOrder = (rows: readonly JsonObject[], name: string): readonly JsonObject[] =>
  rows.toSorted((a, b) => {
    const [x, y] = [orderOf(a, name), orderOf(b, name)];
    return x === y ? 0 : x - y;
  });

/**
 * A row one place up or down: it changes numbers with its neighbour. Where their numbers are the same, all from the first on are numbered
 * anew as closely as they stood.
 */
export const moved = (rows: readonly JsonObject[], name: string, row: JsonObject, by: -1 | 1, lowest: number): readonly JsonObject[] => {
  const sorted = inOrder(rows, name);
  const at = sorted.indexOf(row);
  const other = sorted[at + by];
  if (at === -1 || !other) return rows;
  const [mine, theirs] = [orderOf(row, name), orderOf(other, name)];
  if (mine !== theirs && Number.isFinite(mine) && Number.isFinite(theirs))
    return rows.map((each) => (each === row ? { ...each, [name]: theirs } : each === other ? { ...each, [name]: mine } : each));
  const desired = sorted.toSpliced(at, 1).toSpliced(at + by, 0, row);
  const number = new Map<JsonObject, number>();
  let last = lowest - 1;
  for (const each of desired) {
    const own = orderOf(each, name);
    // A number that is free and higher than the last stays; a swap of equals needs new ones.
    last = Number.isFinite(own) && own > last && each !== row && each !== other ? own : last + 1;
    number.set(each, last);
  }
  return rows.map((each) => (number.get(each) === each[name] ? each : { ...each, [name]: number.get(each) ?? lowest }));
};
