import type { Mark, Track, Usage } from '../../db/column-types.ts';
import { minus, nothing, plus } from './quota.ts';
import type { Report } from './types.ts';

/** Number of reports kept per track. A report that arrives later than this counts as contained in newer ones. */
const maxMarks = 8;

const markOf = ({ seq, up, down, seconds }: Report): Mark => ({ seq, up, bytes: up + down, seconds });
const isLower = (from: Mark, to: Mark): boolean => to.up < from.up || to.bytes - to.up < from.bytes - from.up || to.seconds < from.seconds;

/** A counter that decreases was reset to zero, together with the other counters. */
const increase = (from: Mark | undefined, to: Mark): Usage => (from && !isLower(from, to) ? minus(to, from) : to);

/**
 * Usage that a mark adds to its track. The total depends only on the set of marks, so reports may arrive in any order and repeatedly. It
 * never decreases, so no gain is negative.
 */
const insert = (marks: readonly Mark[], mark: Mark): { marks: readonly Mark[]; gain: Usage } => {
  const later = marks.findIndex(({ seq }) => seq >= mark.seq);
  const index = later < 0 ? marks.length : later;
  const [before, after] = [marks[index - 1], marks[index]];
  if (after?.seq === mark.seq || (index === 0 && marks.length === maxMarks)) return { marks, gain: nothing };
  const added = increase(before, mark);
  return {
    marks: marks.toSpliced(index, 0, mark).slice(-maxMarks),
    gain: after ? minus(plus(added, increase(mark, after)), increase(before, after)) : { bytes: added.bytes, seconds: added.seconds },
  };
};

/** Usage of a report that no earlier report contained. */
export const countUsage = (tracks: readonly Track[], report: Report): { tracks: readonly Track[]; gain: Usage } => {
  const { session, boot, seq, at, up, down, seconds } = report;
  if (![boot, seq, at, up, down, seconds, up + down].every((n) => Number.isSafeInteger(n) && n >= 0))
    throw new RangeError(`not a count: ${JSON.stringify(report)}`);
  const found = tracks.find((track) => track.session === session && track.boot === boot);
  const { marks, gain } = insert(found?.marks ?? [], markOf(report));
  const track = { session, boot, marks };
  return { tracks: found ? tracks.map((each) => (each === found ? track : each)) : [...tracks, track], gain };
};
