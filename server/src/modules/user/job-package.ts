import type { Text } from '@farlink/contract/kit/text.ts';
import { currentHolding } from '../../domain/metering/store/current-holding.ts';
import { grantPackages } from '../../domain/metering/store/grant-packages.ts';
import { loadMeters } from '../../domain/metering/store/load-meters.ts';
import { type DeviceBinding, findPackage, refuseNotOffered } from '../../domain/package/find-package.ts';
import { endHoldings } from '../../domain/subscriber/end-holdings.ts';
import { planChange } from '../../domain/subscriber/plan-change.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import type { UserRow } from './find-user.ts';

const onlyJob: Text = ['请使用“变更套餐”', 'Use "Change package" for this account'];

/**
 * A job account gets another package without a sale: it replaces the current one. The same package is granted again only if it has ended or
 * is used up. Returns the change for the log.
 */
export const giveJobPackage = async (ctx: Ctx, user: UserRow, packageId: number | null | undefined, binding: DeviceBinding) => {
  if (!packageId) return undefined;
  const before = { package_id: user.package_id };
  if (user.account_type !== 'job') {
    if (packageId !== user.package_id) throw failAt('package_id', onlyJob);
    return undefined;
  }
  const now = ctx.now();
  const state = (await loadMeters(ctx.db, [user.id])).get(user.id);
  const status = state && currentHolding(state, now).status;
  if (packageId === user.package_id && status !== 'expired' && status !== 'exhausted') return undefined;
  const pkg = await findPackage(ctx, packageId, 'online');
  await refuseNotOffered(ctx.db, pkg, binding);
  await endHoldings(ctx.db, state ? planChange(state, new Map(), 'now', now).ends : []);
  const grant = { subscriber_id: user.id, agent_id: user.agent_id, package_id: pkg.id, price: '0.00', count: 1 };
  await grantPackages(ctx.db, [grant], now);
  return { before, after: { package_id: pkg.id } };
};
