import { cycleAt } from './quota.ts';
import type { MeterState } from './types.ts';

/** Drops cycles that ended before an instant. Later reports for them count in the first cycle kept. */
export const forgetCycles = (state: MeterState, before: number): MeterState => ({
  ...state,
  holdings: state.holdings.map((holding) => {
    const first_cycle = cycleAt(holding, before);
    if (first_cycle === holding.first_cycle) return holding;
    const cycles = Object.fromEntries(Object.entries(holding.cycles).filter(([index]) => Number(index) >= first_cycle));
    return { ...holding, first_cycle, cycles };
  }),
});
