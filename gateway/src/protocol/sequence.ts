/**
 * Batches of a stream are numbered 1, 2, 3… from each boot. Received numbers are stored as ranges, so late batches are accepted, repeated
 * ones are not, and a missing one costs two numbers.
 */
export type Taken = readonly number[];

const mostRanges = 256;

export const isTaken = (taken: Taken, seq: number): boolean => {
  for (let i = 0; i < taken.length; i += 2) if (seq >= (taken[i] ?? 0) && seq <= (taken[i + 1] ?? 0)) return true;
  return false;
};

export const take = (taken: Taken, seq: number): { readonly isNew: boolean; readonly taken: Taken } => {
  if (isTaken(taken, seq)) return { isNew: false, taken };
  const ranges: [number, number][] = [];
  for (let i = 0; i < taken.length; i += 2) ranges.push([taken[i] ?? 0, taken[i + 1] ?? 0]);
  ranges.push([seq, seq]);
  ranges.sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [from, to] of ranges) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  // More gaps than this are not caused by the link; the oldest gap is given up to limit memory.
  if (joined.length > mostRanges) {
    const [first, second] = joined;
    if (first && second) joined.splice(0, 2, [first[0], second[1]]);
  }
  return { isNew: true, taken: joined.flat() };
};

/** Last number without a gap; the gateway can delete batches up to it. */
export const takenUpTo = (taken: Taken): number => (taken[0] === 1 ? (taken[1] ?? 0) : 0);
