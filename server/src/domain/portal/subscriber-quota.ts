import type { BlockReason } from '@farlink/gateway/protocol/account.ts';
import type { Db } from '../../kit/deps.ts';
import { accessOf } from '../access/access.ts';
import { blockReasonOf } from '../access/block-reason.ts';
import type { ServicePhase } from '../access/phases.ts';
import { type Remaining, remaining } from '../metering/engine/remaining.ts';
import { isReminded } from '../metering/engine/remind.ts';
import { statusAt } from '../metering/engine/status-at.ts';
import type { MeterState } from '../metering/engine/types.ts';
import { currentHolding } from '../metering/store/current-holding.ts';
import { loadMeters } from '../metering/store/load-meters.ts';
import { nameForSubscriber } from '../package/name-for-subscriber.ts';

/** What is left of a package. `from`: it begins later. */
export interface PackageLeft extends Remaining {
  readonly package_name: string;
  readonly from: number | null;
}

/** The share of a package at which its credit control reminds is used. */
export interface UsageReminder {
  readonly package_name: string;
  readonly ratio: number;
  /** Text of the credit control. */
  readonly content: string | null;
}

/** Remaining quota of a subscriber, with the figures of the console. */
export interface SubscriberQuota {
  /** Packages that are left, in the order of use; those that begin later are last. Only a used-up one if nothing is left. */
  readonly packages: readonly PackageLeft[];
  readonly blocked: BlockReason | 'unbound' | null;
  /** Null while another package follows. */
  readonly reminder: UsageReminder | null;
  readonly expire_at: number;
  /** Bytes and seconds until all packages are used up. Null: no limit. */
  readonly bytes_left: number | null;
  readonly seconds_left: number | null;
}

const nothing: MeterState = { clock: 0, holdings: [], overrun: { bytes: 0, seconds: 0 } };

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

const namesOf = async (db: Db, holdings: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  const rows = await db
    .selectFrom('holding')
    .innerJoin('package', 'package.id', 'holding.package_id')
    .innerJoin('agent', 'agent.id', 'package.agent_id')
    .select(['holding.id', 'package.name', 'agent.name as vno'])
    .where('holding.id', 'in', [...holdings, 0])
    .execute();
  return new Map(rows.map(({ id, name, vno }) => [id, nameForSubscriber(name, vno)]));
};

/** Holdings in the order of use, then those that begin later. */
const orderOf = (state: MeterState, now: number): readonly number[] => {
  const { queue } = statusAt(state, now);
  const later = state.holdings.filter(({ id, start_at }) => start_at > now && !queue.includes(id));
  const ids = [...queue, ...later.toSorted((a, b) => a.start_at - b.start_at || a.id - b.id).map(({ id }) => id)];
  const current = currentHolding(state, now).holding?.id;
  return ids.length === 0 && current !== undefined ? [current] : ids;
};

const packagesOf = async (db: Db, state: MeterState, now: number): Promise<PackageLeft[]> => {
  const order = orderOf(state, now);
  const names = await namesOf(db, order);
  const left = new Map(remaining(state, now).map((one) => [one.id, one]));
  const starts = new Map(state.holdings.map(({ id, start_at }) => [id, start_at > now ? start_at : null]));
  return order.flatMap((id) => {
    const one = left.get(id);
    return one ? [{ ...one, package_name: names.get(id) ?? '', from: starts.get(id) ?? null }] : [];
  });
};

/** The SMS reminds of each package; a page shows what is left, so it reminds only of the last one. */
const reminderOf = async (db: Db, state: MeterState, now: number): Promise<UsageReminder | null> => {
  const { queue } = statusAt(state, now);
  const id = queue[0] ?? currentHolding(state, now).holding?.id;
  const last = state.holdings.find((holding) => holding.id === id);
  if (queue.length > 1 || !last?.policy || !isReminded(last, now)) return null;
  const { policy } = last;
  const names = await namesOf(db, [last.id]);
  const { content } = await db.selectFrom('policy').select('content').where('id', '=', policy.id).executeTakeFirstOrThrow();
  return { package_name: names.get(last.id) ?? '', ratio: policy.ratio, content: content?.trim() || null };
};

export const subscriberQuota = async (db: Db, subscriberId: number, now: number): Promise<SubscriberQuota | undefined> => {
  const access = (await accessOf(db, [subscriberId], now)).get(subscriberId);
  if (!access) return undefined;
  const state = (await loadMeters(db, [subscriberId])).get(subscriberId) ?? nothing;
  const { service } = statusAt(state, now);
  const phases = access.phases.filter(({ from }) => from === null || from <= now);
  const end = endOf(phases, now);
  return {
    packages: await packagesOf(db, state, now),
    blocked: await blockReasonOf(db, subscriberId, service, now),
    reminder: await reminderOf(db, state, now),
    expire_at: access.expire_at,
    bytes_left: bytesOf(phases),
    seconds_left: Math.max(0, Math.min(end ?? Infinity, access.expire_at) - now),
  };
};
