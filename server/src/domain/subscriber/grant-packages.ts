import { yuan } from '@farlink/contract/kit/money.ts';
import type { Db } from '../../kit/deps.ts';
import { refreshPackages } from './refresh-packages.ts';

export interface PackageGrant {
  readonly subscriber_id: number;
  readonly agent_id: number;
  readonly package_id: number;
  /** Price paid per package after discounts. A change of package refunds part of it. */
  readonly price: string;
  readonly count: number;
  /** Earliest time of use; by default now. */
  readonly start_at?: number;
}

/** Grants of `count` packages that were paid together. Remaining cents go to the first ones. */
export const packageGrantsOf = (grant: Omit<PackageGrant, 'price'>, paid: bigint): PackageGrant[] => {
  const each = paid / BigInt(grant.count);
  const extraCents = Number(paid % BigInt(grant.count));
  return [
    { ...grant, count: extraCents, price: yuan(each + 1n) },
    { ...grant, count: grant.count - extraCents, price: yuan(each) },
  ].filter(({ count }) => count > 0);
};

/**
 * Grants paid packages to subscribers, in the caller's transaction. Several packages of one kind are used one after the other. A holding
 * starts at first use and ends at the latest with the validity of its package.
 */
export const grantPackages = async (db: Db, grants: readonly PackageGrant[], now: number): Promise<void> => {
  const ids = [...new Set(grants.map((g) => g.package_id)), 0];
  const packages = await db.selectFrom('package').select(['id', 'expire_at']).where('id', 'in', ids).execute();
  const rows = grants.flatMap(({ subscriber_id, agent_id, package_id, price, count, start_at = now }) => {
    const expire_at = packages.find((p) => p.id === package_id)?.expire_at ?? null;
    return Array.from({ length: count }, () => ({ subscriber_id, agent_id, package_id, price, start_at, expire_at, create_at: now }));
  });
  for (let at = 0; at < rows.length; at += 2000)
    await db
      .insertInto('holding')
      .values(rows.slice(at, at + 2000))
      .execute();
  const owners = [...new Set(grants.map((g) => g.subscriber_id))];
  for (let at = 0; at < owners.length; at += 2000) await refreshPackages(db, owners.slice(at, at + 2000), now);
};
