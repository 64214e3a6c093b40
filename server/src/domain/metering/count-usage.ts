import type { Mark, Track, Usage } from '../../db/column-types.ts';
import { minus, nothing, plus } from './quota.ts';
import type { Report } from './types.ts';

/** A report that comes so many places late, or later, is taken as contained in those that overtook it. */
const keptMarks = 8;

const markOf = ({ seq, up, down, seconds }: Report): Mark => ({ seq, up, bytes: up + down, seconds });
const fell = (from: Mark, to: Mark): boolean => to.up < from.up || to.bytes - to.up < from.bytes - from.up || to.seconds < from.seconds;

/** A counter that falls has begun again from zero, with its fellows. */
const rise = (from: Mark | undefined, to: Mark): Usage => (from && !fell(from, to) ? minus(to, from) : to);

/**
 * What a mark adds to the sum of rises along its track. The sum depends on the set of marks alone, so reports may come
 * in any order and any number of times; it never shrinks, so no difference is negative.
 */
const insert = (marks: readonly Mark[], mark: Mark): { marks: readonly Mark[]; gain: Usage } => {
  const later = marks.findIndex(({ seq }) => seq >= mark.seq);
  const index = later < 0 ? marks.length : later;
  const [before, after] = [marks[index - 1], marks[index]];
  if (after?.seq === mark.seq || (index === 0 && marks.length === keptMarks)) return { marks, gain: nothing };
  const risen = rise(before, mark);
  return {
    marks: marks.toSpliced(index, 0, mark).slice(-keptMarks),
    gain: after ? minus(plus(risen, rise(mark, after)), rise(before, after)) : { bytes: risen.bytes, seconds: risen.seconds },
  };
};

/** The usage that a report tells of and that no report told before. */
export const countUsage = (tracks: readonly Track[], report: Report): { tracks: readonly Track[]; gain: Usage } => {
  const { session, boot, seq, at, up, down, seconds } = report;
  if (![boot, seq, at, up, down, seconds, up + down].every((n) => Number.isSafeInteger(n) && n >= 0))
    throw new RangeError(`not a count: ${JSON.stringify(report)}`);
  const found = tracks.find((track) => track.session === session && track.boot === boot);
  const { marks, gain } = insert(found?.marks ?? [], markOf(report));
  const track = { session, boot, marks };
  return { tracks: found ? tracks.map((each) => (each === found ? track : each)) : [...tracks, track], gain };
};
