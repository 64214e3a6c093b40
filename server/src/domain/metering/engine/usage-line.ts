import type { Usage } from '../../../db/column-types.ts';
import { shareOf } from './share-of.ts';

/**
 * Usage of a report as a straight line: its bytes are spread evenly over its seconds. A point is the usage so far. The function advances
 * from a point as far as the bytes and the seconds allow.
 */
export const usageUpTo = (line: Usage, from: Usage, max: Usage): Usage => {
  const seconds = from.seconds + max.seconds;
  const bytes = from.bytes + max.bytes;
  const end = seconds < line.seconds ? { seconds, bytes: shareOf(line.bytes, seconds, line.seconds) } : line;
  return bytes <= end.bytes ? { bytes, seconds: shareOf(line.seconds, bytes, line.bytes) } : end;
};
