import { toSeconds } from '@farlink/contract/kit/units.ts';
import { fail } from '../../kit/fail.ts';
import { endOf, hasBegun, statusOf } from '../metering/engine/status.ts';
import type { MeterState } from '../metering/engine/types.ts';
import { currentHolding } from '../metering/store/current-holding.ts';
import type { PackageRow } from '../package/find-package.ts';

/** spec §5: job accounts, periodic packages, expired packages and inactive packages. */
export const refuseRecharge = (account: { readonly account_type: string }, state: MeterState, now: number) => {
  if (account.account_type === 'job') throw fail('recharge_job');
  const { status, holding } = currentHolding(state, now);
  if (holding?.cycle) throw fail('recharge_periodic');
  if (status === 'expired') throw fail('recharge_expired');
  if (status === 'not_active') throw fail('recharge_inactive');
};

/** In a portal a subscriber may also recharge before the package begins and after it has ended. */
export const refusePortalRecharge = (account: { readonly account_type: string }, state: MeterState, now: number) => {
  if (account.account_type === 'job') throw fail('recharge_job');
  if (isPeriodic(state, now)) throw fail('recharge_periodic');
};

/** The current package is periodic and has not ended. */
export const isPeriodic = (state: MeterState, now: number): boolean => {
  const { status, holding } = currentHolding(state, now);
  return Boolean(holding?.cycle) && status !== 'expired';
};

/**
 * spec §5, "some duration packages": refused if the package would expire before the additional periods end. `holdings` are those of this
 * package.
 */
export const refuseTooLong = (pkg: PackageRow, holdings: MeterState['holdings'], count: number, now: number) => {
  if (pkg.expire_at === null) return;
  if (pkg.expire_at <= now) throw fail('recharge_expired');
  if (pkg.time_capacity === null || pkg.time_unit === null) return;
  const period = toSeconds(pkg.time_capacity, pkg.time_unit);
  const open = holdings.filter((h) => statusOf(h, now) !== 'expired');
  const running = open.filter((h) => hasBegun(h, now));
  const waiting = open.length - running.length;
  if (Math.max(now, ...running.map(endOf)) + (waiting + count) * period > pkg.expire_at) throw fail('recharge_duration', { args: [count] });
};
