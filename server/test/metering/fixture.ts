import { chargeUsage, type Metered } from '../../src/domain/metering/engine/charge-usage.ts';
import type { CreditPolicy, Holding, MeterState } from '../../src/domain/metering/engine/types.ts';

/** 2026-01-15 12:00 in UTC+8. */
export const noon = Date.UTC(2026, 0, 15, 4) / 1000;
export const hour = 3600;
export const day = 24 * hour;

type Terms = Partial<Omit<Holding, 'package_type'>>;

const terms = {
  id: 1,
  kind: 'online',
  speeds: { up_speed: 10, down_speed: 20, up_guarantee: 0, down_guarantee: 0 },
  priority: 100,
  start_at: noon,
  expire_at: null,
  activated_at: noon,
  cycle: null,
  policy: null,
  used: { bytes: 0, seconds: 0 },
  cycles: {},
  first_cycle: 0,
} as const;

export const flow = (flow_capacity: number, more: Terms = {}): Holding => ({ ...terms, package_type: 'flow', flow_capacity, ...more });
export const time = (time_capacity: number, more: Terms = {}): Holding => ({ ...terms, package_type: 'time', time_capacity, ...more });
export const timeFlow = (time_capacity: number, flow_capacity: number, more: Terms = {}): Holding => ({
  ...terms,
  package_type: 'time_flow',
  time_capacity,
  flow_capacity,
  ...more,
});

export const policy = (action: CreditPolicy['action'], ratio = 80): CreditPolicy => ({
  id: 7,
  ratio,
  action,
  limit_up: 16,
  limit_down: 64,
});

export const holding = (...holdings: Holding[]): MeterState => ({ clock: noon, holdings, overrun: { bytes: 0, seconds: 0 } });

/** Bytes used over some seconds that end `after` seconds past noon. */
export const use = (state: MeterState, after: number, bytes: number, seconds = after): Metered =>
  chargeUsage(state, { bytes, seconds }, noon + after - seconds);
