import type { Usage } from '../../../db/column-types.ts';
import { cycleIndex, cycleStart } from './cycle.ts';
import type { Holding } from './types.ts';

/** `total × portion ÷ whole`, rounded down. A terabyte times a day exceeds the safe integers, so the product is a bigint. */
export const shareOf = (total: number, portion: number, whole: number): number => {
  const product = total * portion;
  return Number.isSafeInteger(product) ? Math.floor(product / whole) : Number((BigInt(total) * BigInt(portion)) / BigInt(whole));
};

export const nothing: Usage = { bytes: 0, seconds: 0 };
export const plus = (a: Usage, b: Usage): Usage => ({ bytes: a.bytes + b.bytes, seconds: a.seconds + b.seconds });
export const minus = (a: Usage, b: Usage): Usage => ({ bytes: a.bytes - b.bytes, seconds: a.seconds - b.seconds });

export const durationOf = (holding: Holding): number => (holding.package_type === 'flow' ? Infinity : holding.time_capacity);

export const cycleAt = ({ cycle, activated_at, first_cycle }: Holding, at: number): number =>
  cycle && activated_at !== null ? Math.max(first_cycle, cycleIndex(activated_at, cycle, at)) : first_cycle;

export const nextReset = (holding: Holding, at: number): number =>
  holding.cycle && holding.activated_at !== null ? cycleStart(holding.activated_at, holding.cycle, cycleAt(holding, at) + 1) : Infinity;

export interface Allowance {
  readonly unit: keyof Usage;
  readonly used: number;
  readonly limit: number;
}

/**
 * Limit and usage of a holding in the cycle of an instant. Flow is counted in bytes, a time quota in seconds online. A time package without
 * cycles has no quota; only its duration ends it.
 */
export const allowanceAt = (holding: Holding, at: number): Allowance | null => {
  if (holding.package_type === 'time' && !holding.cycle) return null;
  const [unit, capacity] =
    holding.package_type === 'time' ? (['seconds', holding.time_capacity] as const) : (['bytes', holding.flow_capacity] as const);
  if (!holding.cycle) return { unit, used: holding.used[unit], limit: capacity };
  const used = holding.cycles[cycleAt(holding, at)] ?? 0;
  const earlier = holding.used[unit] - used;
  return { unit, used, limit: Math.min(holding.cycle.quota, Math.max(0, capacity - earlier)) };
};

/** Remaining quota, in the unit of the allowance. */
export const remainingQuotaAt = (holding: Holding, at: number): number => {
  const allowance = allowanceAt(holding, at);
  return allowance ? Math.max(0, allowance.limit - allowance.used) : Infinity;
};

export const charge = (holding: Holding, at: number, usage: Usage): Holding => {
  const used = plus(holding.used, usage);
  const allowance = allowanceAt(holding, at);
  if (!holding.cycle || !allowance) return { ...holding, used };
  return { ...holding, used, cycles: { ...holding.cycles, [cycleAt(holding, at)]: allowance.used + usage[allowance.unit] } };
};

/** Smallest part of `whole` that is at least `percent` of it. */
export const percentOf = (whole: number, percent: number): number => whole - shareOf(whole, 100 - percent, 100);
