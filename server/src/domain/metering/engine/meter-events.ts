import { cycleAt, nextReset, remainingQuotaAt } from './quota.ts';
import { isReminded } from './remind.ts';
import { serviceAt } from './service-at.ts';
import { endOf, hasBegun, statusOf } from './status.ts';
import type { Holding, MeterEvent, MeterState, PackageStatus, Service } from './types.ts';

interface HoldingView {
  readonly begun: boolean;
  readonly reminded: boolean;
  readonly status: PackageStatus;
}

interface View {
  readonly holdings: ReadonlyMap<number, HoldingView>;
  readonly service: Service;
}

/** View of a holding before it exists. */
const initialView: HoldingView = { begun: false, reminded: false, status: 'not_active' };

/** A state with the events that led to it. */
export interface Metered {
  readonly state: MeterState;
  readonly view: View;
  readonly events: readonly MeterEvent[];
}

const see = (holding: Holding, at: number): HoldingView => ({
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
  return reset < endOf(holding) && remainingQuotaAt(holding, reset) > 0 ? reset : null;
};

const ofHolding = (holding: Holding, before: HoldingView, after: HoldingView, at: number): MeterEvent[] => {
  const events: MeterEvent[] = [];
  const about = { at, holding: holding.id };
  const cycle = cycleAt(holding, at);
  const became = (status: PackageStatus) => after.status === status && before.status !== status;
  if (after.begun && !before.begun) events.push({ type: 'activated', ...about });
  if (after.reminded && !before.reminded && holding.policy) events.push({ type: 'reminder', ...about, cycle, policy: holding.policy.id });
  if (became('exhausted')) events.push({ type: 'exhausted', ...about, cycle, resets_at: resetsAt(holding, at) });
  if (became('expired')) events.push({ type: 'expired', ...about });
  return events;
};

const ofService = (before: Service, after: Service, at: number): MeterEvent[] => {
  if (after.mode === 'full') {
    if (before.mode !== 'full') return [{ type: 'lifted', at, holding: after.holding }];
    if (before.holding === null || after.holding === null || before.holding === after.holding) return [];
    return [{ type: 'next_package', at, from: before.holding, to: after.holding }];
  }
  if (after.mode === 'stop') {
    const { mode, ...stop } = after;
    return before.mode === mode && before.reason === after.reason ? [] : [{ type: 'stop', at, ...stop }];
  }
  const { mode, ...slow } = after;
  const same =
    before.mode === mode && before.policy === after.policy && before.limit_up === after.limit_up && before.limit_down === after.limit_down;
  return same ? [] : [{ type: 'slow_down', at, ...slow }];
};

export const begin = (state: MeterState): Metered => ({ state, view: viewOf(state), events: [] });

/** Events are the differences between two states at their clocks. */
export const meterEvents = (metered: Metered, state: MeterState): Metered => {
  const view = viewOf(state);
  const events = state.holdings.flatMap((holding) => {
    const [before = initialView, after = initialView] = [metered.view.holdings.get(holding.id), view.holdings.get(holding.id)];
    return ofHolding(holding, before, after, state.clock);
  });
  return { state, view, events: [...metered.events, ...events, ...ofService(metered.view.service, view.service, state.clock)] };
};
