import type { Random } from '@farlink/contract/kit/random.ts';

export type State = 'up' | 'offline';

/** Steps at a gateway in order: a state change (`change`), reported or not, or a sample (`sample`). */
export interface Step {
  readonly kind: 'change' | 'sample';
  readonly at: number;
  readonly state: State;
  readonly fromEvent: boolean;
}

/** Starts with a sample. `minS` and `maxS` are the seconds between steps; `silent` is the chance that a change is not reported. */
export const historyOf = (random: Random, { from = 100, length = 12, minS = 0, maxS = 2, silent = 0 } = {}): Step[] => {
  let [at, state]: [number, State] = [from, random.pick(['up', 'offline'])];
  const steps: Step[] = [{ kind: 'sample', at, state, fromEvent: false }];
  for (let i = 0; i < length; i++) {
    at += Math.max(i === 0 ? 1 : 0, random.int(minS, maxS));
    const kind = random.pick(['change', 'sample']);
    if (kind === 'change') state = state === 'up' ? 'offline' : 'up';
    steps.push({ kind, at, state, fromEvent: kind === 'change' && !random.chance(silent) });
  }
  return steps;
};

export const shuffled = <T>(random: Random, all: readonly T[]): T[] =>
  all
    .map((one) => ({ one, sortKey: random.next() }))
    .sort((a, b) => a.sortKey - b.sortKey)
    .map(({ one }) => one);

/**
 * Expected timeline of these steps. Within a second only the last sample counts, before the events. Samples between two events with
 * different states are ignored within an hour before the second. The first row counts like an event.
 */
export const lineOf = (steps: readonly Step[]): { state: State; at: number; duration: number | null }[] => {
  const seconds = [...new Set(steps.map((s) => s.at))].sort((a, b) => a - b);
  const facts = seconds.flatMap((second) => {
    const then = steps.filter((s) => s.at === second);
    return [...then.filter((s) => s.kind === 'sample').slice(-1), ...then.filter((s) => s.fromEvent)];
  });
  const counting = facts.filter((fact, i) => {
    const before = facts.findLast((f, k) => k < i && (f.fromEvent || k === 0));
    const after = facts.find((f, k) => k >= i && f.fromEvent);
    return fact.fromEvent || !before || !after || before.state === after.state || after.at - fact.at > 3600;
  });
  const line = counting.filter(({ state }, i) => counting[i - 1]?.state !== state);
  return line.map(({ state, at }, i) => {
    const next = line[i + 1];
    return { state, at, duration: next ? next.at - at : null };
  });
};
