import { begin, type Metered, meterEvents } from './meter-events.ts';
import { allowanceAt, nextReset } from './quota.ts';
import { remindsAt } from './remind.ts';
import { endOf } from './status.ts';
import type { Holding, MeterEvent, MeterState } from './types.ts';

/** Times at which a holding changes by time alone. The reset of an unused cycle changes nothing. */
const changeTimesOf = (holding: Holding, after: number): number[] => [
  holding.start_at,
  holding.activated_at ?? Infinity,
  remindsAt(holding),
  endOf(holding),
  (allowanceAt(holding, after)?.used ?? 0) > 0 ? nextReset(holding, after) : Infinity,
];

export const nextChangeTime = ({ holdings }: MeterState, after: number): number => {
  let next = Infinity;
  for (const holding of holdings) for (const time of changeTimesOf(holding, after)) if (time > after && time < next) next = time;
  return next;
};

/** Steps from one time of change to the next, so the result does not depend on the number of calls. */
export const advanceTo = (metered: Metered, now: number): Metered => {
  let current = metered;
  while (current.state.clock < now) {
    const clock = Math.min(now, nextChangeTime(current.state, current.state.clock));
    current = meterEvents(current, { ...current.state, clock });
  }
  return current;
};

/** Advances the time: packages start and expire, cycles reset, limits are lifted. The clock never goes back. */
export const advance = (state: MeterState, now: number): { state: MeterState; events: readonly MeterEvent[] } => {
  const { state: after, events } = advanceTo(begin(state), now);
  return { state: after, events };
};
