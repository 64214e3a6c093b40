import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';

const orderOf = (row: JsonObject, name: string) => (typeof row[name] === 'number' ? row[name] : Number.POSITIVE_INFINITY);

/** Rows by order number, lowest first; equal numbers keep their order. */
export const inOrder = (rows: readonly JsonObject[], name: string): readonly JsonObject[] =>
  rows.toSorted((a, b) => {
    const x = orderOf(a, name);
    const y = orderOf(b, name);
    return x === y ? 0 : x - y;
  });

/**
 * Moves a row up or down: it swaps numbers with its neighbour. If the numbers are equal, all rows are renumbered with as few changes as
 * possible.
 */
export const moved = (rows: readonly JsonObject[], name: string, row: JsonObject, by: -1 | 1, lowest: number): readonly JsonObject[] => {
  const sorted = inOrder(rows, name);
  const at = sorted.indexOf(row);
  const other = sorted[at + by];
  if (at === -1 || !other) return rows;
  const ownOrder = orderOf(row, name);
  const otherOrder = orderOf(other, name);
  if (ownOrder !== otherOrder && Number.isFinite(ownOrder) && Number.isFinite(otherOrder))
    return rows.map((each) => (each === row ? { ...each, [name]: otherOrder } : each === other ? { ...each, [name]: ownOrder } : each));
  const desired = sorted.toSpliced(at, 1).toSpliced(at + by, 0, row);
  const number = new Map<JsonObject, number>();
  let last = lowest - 1;
  for (const each of desired) {
    const own = orderOf(each, name);
    // A number higher than the last one is kept, except for the two swapped rows.
    last = Number.isFinite(own) && own > last && each !== row && each !== other ? own : last + 1;
    number.set(each, last);
  }
  return rows.map((each) => (number.get(each) === each[name] ? each : { ...each, [name]: number.get(each) ?? lowest }));
};
