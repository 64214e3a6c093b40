/**
 * Batches of a stream are numbered 1, 2, 3… from each boot. Received numbers are stored as ranges, so late batches are accepted, repeated
 * ones are not, and a missing one costs two numbers.
 */
export type Received = readonly number[];

const maxRanges = 256;

export const isReceived = (received: Received, seq: number): boolean => {
  for (let i = 0; i < received.length; i += 2) if (seq >= (received[i] ?? 0) && seq <= (received[i + 1] ?? 0)) return true;
  return false;
};

export const addReceived = (received: Received, seq: number): { readonly isNew: boolean; readonly received: Received } => {
  if (isReceived(received, seq)) return { isNew: false, received };
  const ranges: [number, number][] = [];
  for (let i = 0; i < received.length; i += 2) ranges.push([received[i] ?? 0, received[i + 1] ?? 0]);
  ranges.push([seq, seq]);
  ranges.sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [from, to] of ranges) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  // More gaps than this are not caused by the link; the oldest gap is closed to limit memory.
  if (joined.length > maxRanges) {
    const [first, second] = joined;
    if (first && second) joined.splice(0, 2, [first[0], second[1]]);
  }
  return { isNew: true, received: joined.flat() };
};

/** Last number without a gap; the gateway can delete batches up to it. */
export const receivedUpTo = (received: Received): number => (received[0] === 1 ? (received[1] ?? 0) : 0);
