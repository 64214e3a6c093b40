import { begin, type Metered, meterEvents } from './meter-events.ts';
import { allowanceAt, nextReset } from './quota.ts';
import { remindsAt } from './remind.ts';
import { endOf } from './status.ts';
import type { Holding, MeterEvent, MeterState } from './types.ts';

/** The instants at which time alone changes a holding. The reset of an untouched cycle changes nothing. */
const momentsOf = (holding: Holding, after: number): number[] => [
  holding.start_at,
  holding.activated_at ?? Infinity,
  remindsAt(holding),
  endOf(holding),
  (allowanceAt(holding, after)?.used ?? 0) > 0 ? nextReset(holding, after) : Infinity,
];

export const nextMoment = ({ holdings }: MeterState, after: number): number => {
  let next = Infinity;
  for (const holding of holdings) for (const moment of momentsOf(holding, after)) if (moment > after && moment < next) next = moment;
  return next;
};

/** Goes from moment to moment, so that it does not matter in how many calls time passes. */
export const passTo = (metered: Metered, now: number): Metered => {
  let here = metered;
  while (here.state.clock < now) {
    const clock = Math.min(now, nextMoment(here.state, here.state.clock));
    here = meterEvents(here, { ...here.state, clock });
  }
  return here;
};

/** Time passes: packages begin and expire, cycles reset, a slow-down or stop is lifted. The clock never goes back. */
export const advance = (state: MeterState, now: number): { state: MeterState; events: readonly MeterEvent[] } => {
  const { state: after, events } = passTo(begin(state), now);
  return { state: after, events };
};
