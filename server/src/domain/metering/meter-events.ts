import { cycleAt, nextReset, roomAt } from './quota.ts';
import { isReminded } from './remind.ts';
import { serviceAt } from './service-at.ts';
import { endOf, hasBegun, statusOf } from './status.ts';
import type { Holding, MeterEvent, MeterState, PackageStatus, Service } from './types.ts';

interface Seen {
  readonly begun: boolean;
  readonly reminded: boolean;
  readonly status: PackageStatus;
}

interface View {
  readonly holdings: ReadonlyMap<number, Seen>;
  readonly service: Service;
}

/** View of a holding before it exists. */
const unseen: Seen = { begun: false, reminded: false, status: 'not_active' };

/** A state with the events that led to it. */
export interface Metered {
  readonly state: MeterState;
  readonly view: View;
  readonly events: readonly MeterEvent[];
}

const see = (holding: Holding, at: number): Seen => ({
  begun: hasBegun(holding, at),
  reminded: isReminded(holding, at),
  status: statusOf(holding, at),
});

const viewOf = (state: MeterState): View => ({
  holdings: new Map(state.holdings.map((holding) => [holding.id, see(holding, state.clock)])),
  service: serviceAt(state, state.clock),
});

/** Time of the next quota reset; null if the package ends first or its capacity is used up. */
const resetsAt = (holding: Holding, at: number): number | null => {
  const reset = nextReset(holding, at);
  return reset < endOf(holding) && roomAt(holding, reset) > 0 ? reset : null;
};

const ofHolding = (holding: Holding, was: Seen, is: Seen, at: number): MeterEvent[] => {
  const events: MeterEvent[] = [];
  const about = { at, holding: holding.id };
  const cycle = cycleAt(holding, at);
  const became = (status: PackageStatus) => is.status === status && was.status !== status;
  if (is.begun && !was.begun) events.push({ type: 'activated', ...about });
  if (is.reminded && !was.reminded && holding.policy) events.push({ type: 'reminder', ...about, cycle, policy: holding.policy.id });
  if (became('exhausted')) events.push({ type: 'exhausted', ...about, cycle, resets_at: resetsAt(holding, at) });
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

export const begin = (state: MeterState): Metered => ({ state, view: viewOf(state), events: [] });

/** Events are the differences between two states at their clocks. */
export const meterEvents = (metered: Metered, state: MeterState): Metered => {
  const view = viewOf(state);
  const events = state.holdings.flatMap((holding) => {
    const [was = unseen, is = unseen] = [metered.view.holdings.get(holding.id), view.holdings.get(holding.id)];
    return ofHolding(holding, was, is, state.clock);
  });
  return { state, view, events: [...metered.events, ...events, ...ofService(metered.view.service, view.service, state.clock)] };
};
