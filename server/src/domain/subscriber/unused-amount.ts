import { shareOf } from '@farlink/contract/kit/money.ts';
import { endOf, hasBegun, statusOf } from '../metering/engine/status.ts';
import type { Holding } from '../metering/engine/types.ts';

/**
 * Price of the unused part of a holding, in cents rounded down. Time counts from first use to the end, flow by bytes; the larger used share
 * decides. A holding that never started is unused; an ended one is used.
 */
export const unusedAmount = (holding: Holding, paid: bigint, now: number): bigint => {
  if (statusOf(holding, now) === 'expired') return 0n;
  if (!hasBegun(holding, now) || holding.activated_at === null) return paid;
  const amounts: bigint[] = [];
  if (holding.package_type !== 'flow') {
    const end = endOf(holding);
    amounts.push(shareOf(paid, BigInt(end - now), BigInt(end - holding.activated_at)));
  }
  if (holding.package_type !== 'time') {
    const left = Math.max(0, holding.flow_capacity - holding.used.bytes);
    amounts.push(shareOf(paid, BigInt(left), BigInt(holding.flow_capacity)));
  }
  return amounts.toSorted((a, b) => Number(a - b))[0] ?? 0n;
};
