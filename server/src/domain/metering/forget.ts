import { cycleAt } from './quota.ts';
import type { MeterState } from './types.ts';

/** Drops a session that has ended and expects no late reports. A later report of it would count from zero. */
export const forgetSession = (state: MeterState, session: string): MeterState => ({
  ...state,
  tracks: state.tracks.filter((track) => track.session !== session),
});

/** Drops cycles that ended before an instant. Later reports for them count in the first cycle kept. */
export const forgetCycles = (state: MeterState, before: number): MeterState => ({
  ...state,
  holdings: state.holdings.map((holding) => {
    const first_cycle = cycleAt(holding, before);
    const cycles = Object.fromEntries(Object.entries(holding.cycles).filter(([index]) => Number(index) >= first_cycle));
    return { ...holding, first_cycle, cycles };
  }),
});
