import type { Usage } from '../../db/column-types.ts';
import { shareOf } from './share-of.ts';

/**
 * The usage of a report is a straight line from nothing to all of it: the bytes are spread evenly over its seconds.
 * A point on the line is what was used so far. `reach` goes from a point as far as the bytes and the seconds allow.
 */
export const usageReaching = (line: Usage, from: Usage, most: Usage): Usage => {
  const seconds = from.seconds + most.seconds;
  const bytes = from.bytes + most.bytes;
  const end = seconds < line.seconds ? { seconds, bytes: shareOf(line.bytes, seconds, line.seconds) } : line;
  return bytes <= end.bytes ? { bytes, seconds: shareOf(line.seconds, bytes, line.bytes) } : end;
};
