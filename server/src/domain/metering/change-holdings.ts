import { begin, meterEvents } from './meter-events.ts';
import type { Holding, MeterEvent, MeterState } from './types.ts';

/** Replaces the holdings after a purchase, recharge, change, removal or new policy, and returns the resulting events. */
export const changeHoldings = (state: MeterState, holdings: readonly Holding[]): { state: MeterState; events: readonly MeterEvent[] } => {
  const { state: after, events } = meterEvents(begin(state), { ...state, holdings });
  return { state: after, events };
};
