import { cycleAt, nextReset, roomAt } from './quota.ts';
import { isReminded } from './remind.ts';
import { serviceAt } from './serve.ts';
import { endOf, hasBegun, statusOf } from './status.ts';
import type { Holding, MeterEvent, MeterState, PackageStatus, Service } from './types.ts';

interface View {
  readonly holdings: readonly { readonly begun: boolean; readonly reminded: boolean; readonly status: PackageStatus }[];
  readonly service: Service;
}

/** A state with all that was told on the way to it. */
export interface Told {
  readonly state: MeterState;
  readonly view: View;
  readonly events: readonly MeterEvent[];
}

const viewOf = (state: MeterState): View => ({
  holdings: state.holdings.map((holding) => ({
    begun: hasBegun(holding, state.clock),
    reminded: isReminded(holding, state.clock),
    status: statusOf(holding, state.clock),
  })),
  service: serviceAt(state, state.clock),
});

/** When the quota comes back, if it does: not past the end, not past the capacity. */
const resetsAt = (holding: Holding, at: number): number | null => {
  const reset = nextReset(holding, at);
  return reset < endOf(holding) && roomAt(holding, reset) > 0 ? reset : null;
};

const ofHolding = (holding: Holding, was: View['holdings'][number], is: View['holdings'][number], clock: number, at: number) => {
  const events: MeterEvent[] = [];
  const about = { at, holding: holding.id };
  const cycle = cycleAt(holding, clock);
  const became = (status: PackageStatus) => is.status === status && was.status !== status;
  if (is.begun && !was.begun) events.push({ type: 'activated', ...about });
  if (is.reminded && !was.reminded && holding.policy) events.push({ type: 'reminder', ...about, cycle, policy: holding.policy.id });
  if (became('exhausted')) events.push({ type: 'exhausted', ...about, cycle, resets_at: resetsAt(holding, clock) });
  if (became('expired')) events.push({ type: 'expired', ...about });
  return events;
};

const ofService = (was: Service, is: Service, at: number): MeterEvent[] => {
  if (is.mode === 'full') {
    if (was.mode !== 'full') return [{ type: 'lifted', at, holding: is.holding }];
    if (was.holding === null || is.holding === null || was.holding === is.holding) return [];
    return [{ type: 'next_package', at, from: was.holding, to: is.holding }];
  }
  if (is.mode === 'stop') {
    const { mode, ...stop } = is;
    return was.mode === mode && was.reason === is.reason ? [] : [{ type: 'stop', at, ...stop }];
  }
  const { mode, ...slow } = is;
  const same = was.mode === mode && was.policy === is.policy && was.limit_up === is.limit_up && was.limit_down === is.limit_down;
  return same ? [] : [{ type: 'slow_down', at, ...slow }];
};

export const begin = (state: MeterState): Told => ({ state, view: viewOf(state), events: [] });

/** Events are what differs between two states seen at their clocks; nothing else makes one. */
export const tell = (told: Told, state: MeterState, at: number): Told => {
  const view = viewOf(state);
  const events = state.holdings.flatMap((holding, i) => {
    const [was, is] = [told.view.holdings[i], view.holdings[i]];
    return was && is ? ofHolding(holding, was, is, state.clock, at) : [];
  });
  return { state, view, events: [...told.events, ...events, ...ofService(told.view.service, view.service, at)] };
};
