import { yuan } from '@farlink/contract/kit/money.ts';
import { sql } from 'kysely';
import { prepared } from '../../../db/prepare.ts';
import type { Db } from '../../../kit/deps.ts';
import { refreshPackages } from './refresh-packages.ts';

export interface PackageGrant {
  readonly subscriber_id: number;
  readonly agent_id: number;
  readonly package_id: number;
  /** Price paid per package after discounts. A change of package refunds part of it. */
  readonly price: string;
  /** The part of the price that was paid from the balance. */
  readonly balance_part?: string;
  readonly count: number;
  /** Earliest time of use; by default now. */
  readonly start_at?: number;
}

/** Grants of `count` packages that were paid together. Remaining cents, and those of the balance, go to the first ones. */
export const packageGrantsOf = (grant: Omit<PackageGrant, 'price' | 'balance_part'>, paid: bigint, balancePart = 0n): PackageGrant[] => {
  const shares = (amount: bigint) => ({ each: amount / BigInt(grant.count), extra: Number(amount % BigInt(grant.count)) });
  const price = shares(paid);
  const part = shares(balancePart);
  const ends = [...new Set([price.extra, part.extra, grant.count])].filter((end) => end > 0).toSorted((a, b) => a - b);
  return ends.map((end, i) => {
    const shareAt = ({ each, extra }: typeof price) => yuan(end <= extra ? each + 1n : each);
    return { ...grant, count: end - (ends[i - 1] ?? 0), price: shareAt(price), balance_part: shareAt(part) };
  });
};

/**
 * Grants paid packages to subscribers, in the caller's transaction. Several packages of one kind are used one after the other. A holding
 * starts at first use and ends at the latest with the validity of its package. The periods of a purchase are numbered.
 */
export const grantPackages = async (db: Db, grants: readonly PackageGrant[], now: number): Promise<void> => {
  const rows = grants.map((grant) => ({ start_at: now, ...grant }));
  await sql`${sql.raw(prepared)}
    insert into holding (subscriber_id, agent_id, package_id, price, balance_part, start_at, expire_at, create_at, period_no, periods)
    select g.subscriber_id, g.agent_id, g.package_id, g.price, coalesce(g.balance_part, 0), g.start_at, p.expire_at, ${now}::bigint,
      row_number() over (partition by g.subscriber_id, g.package_id order by g.n, i),
      count(*) over (partition by g.subscriber_id, g.package_id)
    from rows from (json_to_recordset(${JSON.stringify(rows)}::json)
        as (subscriber_id bigint, agent_id bigint, package_id bigint, price numeric, balance_part numeric, count integer,
          start_at bigint)) with ordinality as g(subscriber_id, agent_id, package_id, price, balance_part, count, start_at, n)
      join package p on p.id = g.package_id cross join generate_series(1, g.count) i
    order by g.n, i`.execute(db);
  const owners = [...new Set(grants.map((g) => g.subscriber_id))];
  for (let at = 0; at < owners.length; at += 2000) await refreshPackages(db, owners.slice(at, at + 2000), now);
};
