import type { Random } from '@farlink/simulator/random.ts';

export type State = 'up' | 'offline';

/** What happens at a gateway, in its order: something turns, and is told of or not; or somebody looks and says how it stands. */
export interface Step {
  readonly kind: 'turn' | 'look';
  readonly at: number;
  readonly state: State;
  readonly told: boolean;
}

/** Begins with a look; `least` and `most` are the seconds between two steps after it, `silent` the chance that nobody tells of a turn. */
export const historyOf = (random: Random, { from = 100, length = 12, least = 0, most = 2, silent = 0 } = {}): Step[] => {
  let [at, state]: [number, State] = [from, random.pick(['up', 'offline'])];
  const steps: Step[] = [{ kind: 'look', at, state, told: false }];
  for (let i = 0; i < length; i++) {
    at += Math.max(i === 0 ? 1 : 0, random.int(least, most));
    const kind = random.pick(['turn', 'look']);
    if (kind === 'turn') state = state === 'up' ? 'offline' : 'up';
    steps.push({ kind, at, state, told: kind === 'turn' && !random.chance(silent) });
  }
  return steps;
};

export const shuffled = <T>(random: Random, all: readonly T[]): T[] =>
  all
    .map((one) => ({ one, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);

/**
 * What a line says that knows of these steps. Of a second one look counts, the last, and stands before what was told. Looks between two
 * events of different states count for nothing within an hour before the second; what the line begins with is as good as told.
 */
export const lineOf = (steps: readonly Step[]): { state: State; at: number; duration: number | null }[] => {
  const seconds = [...new Set(steps.map((s) => s.at))].sort((a, b) => a - b);
  const facts = seconds.flatMap((second) => {
    const then = steps.filter((s) => s.at === second);
    return [...then.filter((s) => s.kind === 'look').slice(-1), ...then.filter((s) => s.told)];
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
