import type { Charge } from '../../src/domain/metering/engine/charge-usage.ts';
import type { Holding } from '../../src/domain/metering/engine/types.ts';
import { naiveBoundary, naiveIndex } from './naive-cycle.ts';

/** Independent bookkeeping: it uses the charges of the engine, but none of its logic. */
interface Entry {
  readonly holding: Holding;
  readonly activated: number | null;
  readonly total: number;
  readonly cycles: Map<number, number>;
}

const endOf = ({ holding, activated }: Entry): number => {
  const duration = holding.package_type === 'flow' || activated === null ? Infinity : activated + holding.time_capacity;
  return holding.expire_at === null ? duration : Math.min(duration, holding.expire_at);
};
const inTerm = (entry: Entry, at: number) => at >= entry.holding.start_at && at < endOf(entry);
const unitOf = ({ package_type, cycle }: Holding) => (package_type !== 'time' ? 'bytes' : cycle ? 'seconds' : null);
const indexOf = ({ holding, activated }: Entry, at: number) =>
  holding.cycle && activated !== null && at > activated ? naiveIndex(activated, holding.cycle, at) : 0;

const isFull = (entry: Entry, at: number): boolean => {
  const { holding, total, cycles } = entry;
  if (unitOf(holding) === null) return false;
  const capacity = holding.package_type === 'time' ? holding.time_capacity : holding.flow_capacity;
  return total >= capacity || (holding.cycle !== null && (cycles.get(indexOf(entry, at)) ?? 0) >= holding.cycle.quota);
};

const isUsable = (entry: Entry, book: readonly Entry[], at: number): boolean =>
  inTerm(entry, at) &&
  !isFull(entry, at) &&
  (entry.holding.kind === 'online' ||
    book.some((e) => e.holding.kind === 'online' && inTerm(e, at) && e.activated !== null && e.activated <= at));

const isBefore = (a: Entry, b: Entry): boolean => {
  const keys = (e: Entry) => [e.holding.kind === 'online' ? 0 : 1, e.holding.priority, endOf(e), e.holding.id];
  const left = keys(a);
  const right = keys(b);
  const differs = left.findIndex((key, i) => key !== right[i]);
  return (left[differs] ?? 0) < (right[differs] ?? 0);
};

const book = (entry: Entry, { from, bytes, seconds }: Charge): Entry => {
  const activated = entry.activated ?? from;
  const unit = unitOf(entry.holding);
  const amount = unit === null ? 0 : { bytes, seconds }[unit];
  const index = indexOf({ ...entry, activated }, from);
  return {
    ...entry,
    activated,
    total: entry.total + amount,
    cycles: new Map(entry.cycles).set(index, (entry.cycles.get(index) ?? 0) + amount),
  };
};

/** Violated rules in a list of charges; empty if there are none. */
export const audit = (holdings: readonly Holding[], charges: readonly Charge[]): string[] => {
  let entries: Entry[] = holdings.map((holding) => ({ holding, activated: holding.activated_at, total: 0, cycles: new Map() }));
  const wrong: string[] = [];
  for (const piece of charges) {
    const say = (what: string) => wrong.push(`${what}: ${JSON.stringify(piece)}`);
    const user = entries.find((e) => e.holding.id === piece.holding);
    const lastSecond = Math.max(piece.from, piece.to - 1);
    if (user && !isUsable(user, entries, piece.from)) say('charged to a holding that could not be used');
    entries = entries.map((e) => (e === user ? { ...e, activated: e.activated ?? piece.from } : e));
    const now = entries.find((e) => e.holding.id === piece.holding);
    for (const at of [piece.from, lastSecond])
      if (entries.some((e) => e !== now && isUsable(e, entries, at) && (!now || isBefore(e, now))))
        say('skipped a holding that is used first');
    entries = entries.map((e) => (e === now ? book(e, piece) : e));
    const after = entries.find((e) => e.holding.id === piece.holding);
    if (!after) continue;
    const { holding } = after;
    if (piece.to > endOf(after)) say('charged past the end');
    if (indexOf(after, piece.from) !== piece.cycle) say('charged to another cycle');
    if (holding.cycle && after.activated !== null && piece.to > naiveBoundary(after.activated, holding.cycle, piece.cycle + 1))
      say('charged past the cycle');
    if (holding.cycle && (after.cycles.get(piece.cycle) ?? 0) > holding.cycle.quota) say('more than the quota of the cycle');
    if (after.total > (holding.package_type === 'time' ? holding.time_capacity : holding.flow_capacity)) say('more than the capacity');
  }
  return wrong;
};
