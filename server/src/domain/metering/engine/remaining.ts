import type { Usage } from '../../../db/column-types.ts';
import { cycleStart } from './cycle.ts';
import { allowanceAt, cycleAt, nextReset, shareOf } from './quota.ts';
import { endOf, statusOf } from './status.ts';
import type { Holding, MeterState, PackageStatus } from './types.ts';

interface Left {
  readonly capacity: number;
  readonly used: number;
  readonly left: number;
}

export interface Remaining {
  readonly id: number;
  readonly status: PackageStatus;
  /** Bytes of the whole package. */
  readonly flow: Left | null;
  /** Clock seconds since activation. */
  readonly time: Left | null;
  /** Quota of the current cycle, in bytes or seconds online. */
  readonly cycle: (Left & { readonly unit: keyof Usage; readonly starts_at: number; readonly resets_at: number }) | null;
  /** Used percentage of the limit that ends first. */
  readonly percent: number;
  readonly ends_at: number | null;
}

const percent = ({ used, capacity }: Left): number => (capacity > 0 ? shareOf(Math.min(used, capacity), 100, capacity) : 100);

/** Clock time, so the end of the package limits it too. */
const timeLeft = (holding: Holding, now: number): Left | null => {
  if (holding.package_type === 'flow') return null;
  const capacity = holding.time_capacity;
  const used = Math.min(Math.max(0, now - (holding.activated_at ?? now)), capacity);
  return { capacity, used, left: Math.max(0, Math.min(capacity - used, endOf(holding) - now)) };
};

const remainingOf = (holding: Holding, now: number): Remaining => {
  const status = statusOf(holding, now);
  // An expired package has nothing left, even if it was not used up.
  const left = (capacity: number, used: number): Left => ({
    capacity,
    used,
    left: status === 'expired' ? 0 : Math.max(0, capacity - used),
  });
  const flow = holding.package_type === 'time' ? null : left(holding.flow_capacity, holding.used.bytes);
  const time = timeLeft(holding, now);
  const allowance = allowanceAt(holding, now);
  const cycle =
    holding.cycle && holding.activated_at !== null && allowance
      ? {
          ...left(allowance.limit, allowance.used),
          unit: allowance.unit,
          starts_at: cycleStart(holding.activated_at, holding.cycle, cycleAt(holding, now)),
          resets_at: nextReset(holding, now),
        }
      : null;
  const shown = cycle ? [cycle] : [flow, time].filter((each) => each !== null);
  const end = endOf(holding);
  return { id: holding.id, status, flow, time, cycle, percent: Math.max(...shown.map(percent)), ends_at: end === Infinity ? null : end };
};

/** Remaining amounts of each holding, for display. */
export const remaining = (state: MeterState, now: number): Remaining[] => state.holdings.map((holding) => remainingOf(holding, now));
