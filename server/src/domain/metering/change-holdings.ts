import { begin, meterEvents } from './meter-events.ts';
import type { Holding, MeterEvent, MeterState } from './types.ts';

/** A package was bought, recharged, changed, taken away or given another policy: what that does is told like all else. */
export const changeHoldings = (state: MeterState, holdings: readonly Holding[]): { state: MeterState; events: readonly MeterEvent[] } => {
  const { state: after, events } = meterEvents(begin(state), { ...state, holdings });
  return { state: after, events };
};
