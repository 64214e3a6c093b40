import type { Random } from '@farlink/simulator/random.ts';

export type State = 'up' | 'offline';

/** Steps at a gateway in order: a state change, reported or not, or a sample. */
export interface Step {
  readonly kind: 'change' | 'sample';
  readonly at: number;
  readonly state: State;
  readonly told: boolean;
}

/** Starts with a sample. `min` and `max` are the seconds between steps; `silent` is the chance that a change is not reported. */
export const historyOf = (random: Random, { from = 100, length = 12, min = 0, max = 2, silent = 0 } = {}): Step[] => {
  let [at, state]: [number, State] = [from, random.pick(['up', 'offline'])];
  const steps: Step[] = [{ kind: 'sample', at, state, told: false }];
  for (let i = 0; i < length; i++) {
    at += Math.max(i === 0 ? 1 : 0, random.int(min, max));
    const kind = random.pick(['change', 'sample']);
    if (kind === 'change') state = state === 'up' ? 'offline' : 'up';
    steps.push({ kind, at, state, told: kind === 'change' && !random.chance(silent) });
  }
  return steps;
};

export const shuffled = <T>(random: Random, all: readonly T[]): T[] =>
  all
    .map((one) => ({ one, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ one }) => one);

/**
 * Expected timeline of these steps. Within a second only the last sample counts, before the events. Samples between two events with
 * different states are ignored within an hour before the second. The first row counts like an event.
 */
export const lineOf = (steps: readonly Step[]): { state: State; at: number; duration: number | null }[] => {
  const seconds = [...new Set(steps.map((s) => s.at))].sort((a, b) => a - b);
  const facts = seconds.flatMap((second) => {
    const then = steps.filter((s) => s.at === second);
    return [...then.filter((s) => s.kind === 'sample').slice(-1), ...then.filter((s) => s.told)];
  });
  const counting = facts.filter((fact, i) => {
    const before = facts.findLast((f, k) => k < i && (f.told || k === 0));
    const after = facts.find((f, k) => k >= i && f.told);
    return fact.told || !before || !after || before.state === after.state || after.at - fact.at > 3600;
  });
  const line = counting.filter(({ state }, i) => counting[i - 1]?.state !== state);
  return line.map(({ state, at }, i) => {
    const next = line[i + 1];
    return { state, at, duration: next ? next.at - at : null };
  });
};
