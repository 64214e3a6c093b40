import type { BlockReason } from '@farlink/gateway/protocol/account.ts';
import type { Db } from '../../kit/deps.ts';
import { accessOf } from '../access/access.ts';
import { blockReasonOf } from '../access/block-reason.ts';
import type { ServicePhase } from '../access/phases.ts';
import { type Remaining, remaining } from '../metering/remaining.ts';
import { statusAt } from '../metering/status-at.ts';
import type { MeterState } from '../metering/types.ts';
import { currentHolding } from '../subscriber/current-holding.ts';
import { loadMeters } from '../subscriber/load-meters.ts';

/** Remaining quota of a subscriber, with the figures of the console. */
export interface SubscriberQuota {
  /** The package in use, or the one that is used next. Null: the account has none. */
  readonly current: (Remaining & { readonly package_name: string }) | null;
  readonly blocked: BlockReason | 'unbound' | null;
  readonly expire_at: number;
  /** Bytes and seconds until all packages are used up. Null: no limit. */
  readonly bytes_left: number | null;
  readonly seconds_left: number | null;
}

const nothing: MeterState = { clock: 0, holdings: [], tracks: [], overrun: { bytes: 0, seconds: 0 } };

const bytesOf = (phases: readonly ServicePhase[]): number | null =>
  phases.reduce<number | null>((sum, { bytes }) => (sum === null || bytes === null ? null : sum + bytes), 0);

/** Packages are used one after the other; a package that has not begun adds its whole duration. */
const endOf = (phases: readonly ServicePhase[], now: number): number | null => {
  let end: number | null = now;
  for (const { until, duration, seconds } of phases) {
    if (end === null) return null;
    const own = Math.min(until ?? Infinity, duration === null ? Infinity : end + duration, seconds === null ? Infinity : end + seconds);
    end = own === Infinity ? null : Math.max(end, own);
  }
  return end;
};

const nameOf = async (db: Db, holdingId: number): Promise<string> => {
  const row = await db
    .selectFrom('holding')
    .innerJoin('package', 'package.id', 'holding.package_id')
    .select('package.name')
    .where('holding.id', '=', holdingId)
    .executeTakeFirst();
  return row?.name ?? '';
};

export const subscriberQuota = async (db: Db, subscriberId: number, now: number): Promise<SubscriberQuota | undefined> => {
  const access = (await accessOf(db, [subscriberId], now)).get(subscriberId);
  if (!access) return undefined;
  const state = (await loadMeters(db, [subscriberId])).get(subscriberId) ?? nothing;
  const { service } = statusAt(state, now);
  const inUse = service.mode === 'full' ? service.holding : null;
  const id = inUse ?? currentHolding(state, now).holding?.id;
  const left = remaining(state, now).find((one) => one.id === id);
  const phases = access.phases.filter(({ from }) => from === null || from <= now);
  const end = endOf(phases, now);
  return {
    current: left ? { ...left, package_name: await nameOf(db, left.id) } : null,
    blocked: await blockReasonOf(db, subscriberId, service, now),
    expire_at: access.expire_at,
    bytes_left: bytesOf(phases),
    seconds_left: Math.max(0, Math.min(end ?? Infinity, access.expire_at) - now),
  };
};
