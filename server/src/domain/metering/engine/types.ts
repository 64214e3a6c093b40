import type { Usage } from '../../../db/column-types.ts';

export type CycleUnit = 'hour' | 'day' | 'week' | 'month';

/** Quota per cycle: bytes if the package has flow, seconds online if it has only time. Nothing rolls over. */
export interface Cycle {
  readonly length: number;
  readonly unit: CycleUnit;
  readonly quota: number;
}

/** Credit control template that applies to a package after the policy chain is resolved. */
export interface CreditPolicy {
  readonly id: number;
  /** Percent of the quota at which the subscriber is reminded. */
  readonly ratio: number;
  /** Action when the quota is used up: 0 none, 1 slow down, 2 stop. */
  readonly action: 0 | 1 | 2;
  readonly limit_up: number;
  readonly limit_down: number;
}

/** In seconds and bytes. A duration runs by the clock from activation; a flow is used up. */
export type Capacity =
  | { readonly package_type: 'time'; readonly time_capacity: number }
  | { readonly package_type: 'flow'; readonly flow_capacity: number }
  | { readonly package_type: 'time_flow'; readonly time_capacity: number; readonly flow_capacity: number };

/** Speeds in KB/s; 0 is unlimited. */
export interface Speeds {
  readonly up_speed: number;
  readonly down_speed: number;
  readonly up_guarantee: number;
  readonly down_guarantee: number;
}

export type Holding = Capacity & {
  readonly id: number;
  readonly kind: 'online' | 'extra';
  /** An extra package without a speed of its own has null: it keeps that of the package that it extends. */
  readonly speeds: { readonly [K in keyof Speeds]: Speeds[K] | null };
  /** Lower is used first. */
  readonly priority: number;
  /** Earliest time of use. */
  readonly start_at: number;
  readonly expire_at: number | null;
  /** Null until first use. A holding that starts by date has its `start_at` here from the beginning. */
  readonly activated_at: number | null;
  readonly cycle: Cycle | null;
  readonly policy: CreditPolicy | null;
  readonly used: Usage;
  /** Used quota by cycle index. */
  readonly cycles: Readonly<Record<number, number>>;
  /** Earlier cycles are dropped; their late usage counts in this one. */
  readonly first_cycle: number;
};

export type PackageStatus = 'to_be_used' | 'normal' | 'expired' | 'not_active' | 'exhausted';

/** Plain data for storage. It contains no statuses, because they are derived from the state and a time. */
export interface MeterState {
  /** Time up to which events were created; it never goes back. */
  readonly clock: number;
  readonly holdings: readonly Holding[];
  /** Usage without any usable holding. */
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
