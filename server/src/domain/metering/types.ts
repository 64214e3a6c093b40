import type { Track, Usage } from '../../db/column-types.ts';

export type CycleUnit = 'hour' | 'day' | 'week' | 'month';

/** So much in each cycle: bytes where the package has flow, seconds online where it has time alone. Nothing rolls over. */
export interface Cycle {
  readonly length: number;
  readonly unit: CycleUnit;
  readonly quota: number;
}

/** The credit control template that holds for a package once the policy chain is resolved. */
export interface CreditPolicy {
  readonly id: number;
  /** Percent of the quota at which the subscriber is reminded. */
  readonly ratio: number;
  /** When all quota is used: 0 nothing, 1 slow down, 2 stop. */
  readonly action: 0 | 1 | 2;
  readonly limit_up: number;
  readonly limit_down: number;
}

/** Seconds and bytes; a duration runs by the clock from activation, a flow is used up. */
export type Capacity =
  | { readonly package_type: 'time'; readonly time_capacity: number }
  | { readonly package_type: 'flow'; readonly flow_capacity: number }
  | { readonly package_type: 'time_flow'; readonly time_capacity: number; readonly flow_capacity: number };

export type Holding = Capacity & {
  readonly id: number;
  readonly kind: 'online' | 'extra';
  /** Lower is used first. */
  readonly priority: number;
  /** Not used before. */
  readonly start_at: number;
  readonly expire_at: number | null;
  /** Null until first use; a holding that begins by the calendar has its `start_at` here from the beginning. */
  readonly activated_at: number | null;
  readonly cycle: Cycle | null;
  readonly policy: CreditPolicy | null;
  readonly used: Usage;
  /** What of the cycle's quota was used, by the number of the cycle. */
  readonly cycles: Readonly<Record<number, number>>;
  /** Earlier cycles are forgotten: usage from then counts in this one. */
  readonly first_cycle: number;
};

export type PackageStatus = 'to_be_used' | 'normal' | 'expired' | 'not_active' | 'exhausted';

/** Counters are absolute since the boot; `seq` orders the reports of a boot; `at` is when they were read, never in the future. */
export interface Report {
  readonly session: string;
  readonly boot: number;
  readonly seq: number;
  readonly at: number;
  readonly up: number;
  readonly down: number;
  readonly seconds: number;
}

/** Plain data, so that it can be stored as it is. Statuses are never in it: they follow from it and a time. */
export interface MeterState {
  /** Up to here time has been told; it never goes back. */
  readonly clock: number;
  readonly holdings: readonly Holding[];
  readonly tracks: readonly Track[];
  /** Used when nothing was left to use. */
  readonly overrun: Usage;
}

export type Service =
  | { readonly mode: 'full'; readonly holding: number | null }
  | { readonly mode: 'slow'; readonly policy: number; readonly limit_up: number; readonly limit_down: number }
  | { readonly mode: 'stop'; readonly reason: 'exhausted' | 'no_package' };

export type MeterEvent = { readonly at: number } & (
  | { readonly type: 'activated' | 'expired'; readonly holding: number }
  | { readonly type: 'reminder'; readonly holding: number; readonly cycle: number; readonly policy: number }
  | { readonly type: 'exhausted'; readonly holding: number; readonly cycle: number; readonly resets_at: number | null }
  | { readonly type: 'next_package'; readonly from: number; readonly to: number }
  | { readonly type: 'slow_down'; readonly policy: number; readonly limit_up: number; readonly limit_down: number }
  | { readonly type: 'stop'; readonly reason: 'exhausted' | 'no_package' }
  | { readonly type: 'lifted'; readonly holding: number | null }
);
