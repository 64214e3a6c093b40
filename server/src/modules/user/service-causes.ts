import type { RejectReason } from '@farlink/contract/user/choices.ts';
import type { FixAction, ServiceStatus } from '@farlink/contract/user/user-detail.ts';
import type { BlockReason } from '@farlink/gateway/protocol/account.ts';
import { blockReasonOf } from '../../domain/access/block-reason.ts';
import { nextReset } from '../../domain/metering/engine/quota.ts';
import { endOf, statusOf } from '../../domain/metering/engine/status.ts';
import { statusAt } from '../../domain/metering/engine/status-at.ts';
import type { MeterState, Service } from '../../domain/metering/engine/types.ts';
import type { Ctx } from '../../kit/ctx.ts';

/** Actions that give an account more quota, best first. */
const refills: readonly FixAction[] = ['addPackage', 'recharge', 'changePackage'];

/** The actions that remove the cause of a refused login, best first. */
const fixesOf: Readonly<Record<RejectReason, readonly FixAction[]>> = {
  disabled: ['enable'],
  frozen: ['enable'],
  expired: ['extend'],
  reserved_shutdown: ['reopen'],
  shutdown: refills,
  no_package: ['changePackage', 'recharge'],
  wrong_password: ['passwd'],
  too_many: ['kick', 'edit'],
  wrong_ip: ['edit'],
  wrong_mac: ['edit'],
  wrong_vlan: ['edit'],
  unbound: ['device'],
  unknown: ['device'],
  wrong_device: ['device'],
  // A switch of the NAS, not of the account.
  method_off: [],
};

const isReason = (reason: string): reason is RejectReason => Object.hasOwn(fixesOf, reason);

/** Reasons that follow from the account itself, so that they can be checked now. */
const ofAccount: readonly string[] = [
  'disabled',
  'frozen',
  'expired',
  'reserved_shutdown',
  'shutdown',
  'no_package',
] satisfies BlockReason[];

/** The package of a job account is changed in its form, without a sale. */
export const fixesFor = (accountType: string, fixes: readonly FixAction[]): readonly FixAction[] =>
  accountType === 'job' && fixes.includes('changePackage') ? ['edit'] : fixes;

/** What would refuse a login now, by the same rules as on the gateway. */
export const blockedNow = async (ctx: Ctx, id: number, service: Service): Promise<ServiceStatus['blocked']> => {
  const reason = await blockReasonOf(ctx.db, id, service, ctx.now());
  return reason && { reason, fixes: fixesOf[reason] };
};

/** Actions that end a restriction by credit control. */
export const refillsOf = (service: Service): readonly FixAction[] =>
  service.mode === 'slow' || (service.mode === 'full' && service.holding === null) ? refills : [];

const earliest = (times: readonly number[]): number | null => {
  const known = times.filter((at) => at !== Infinity);
  return known.length > 0 ? Math.min(...known) : null;
};

/** The package after the current one: the next that can be used now, or else the first that starts later. */
export const nextOf = (
  state: MeterState,
  now: number,
): { readonly holding: number; readonly at: number | null; readonly is_waiting: boolean } | null => {
  const { queue } = statusAt(state, now);
  const current = state.holdings.find(({ id }) => id === queue[0]);
  if (current && queue[1] !== undefined) return { holding: queue[1], at: earliest([endOf(current)]), is_waiting: false };
  const [later] = state.holdings
    .filter((holding) => statusOf(holding, now) === 'not_active')
    .toSorted((a, b) => a.start_at - b.start_at || a.id - b.id);
  return later ? { holding: later.id, at: later.start_at, is_waiting: true } : null;
};

/** The next cycle of a running package. */
export const resetOf = (state: MeterState, now: number): number | null =>
  earliest(
    state.holdings
      .filter((holding) => ['normal', 'exhausted'].includes(statusOf(holding, now)) && nextReset(holding, now) < endOf(holding))
      .map((holding) => nextReset(holding, now)),
  );

/** The last refused login: its cause, whether it still applies, and what removes it. */
export const lastRejectionOf = async (
  ctx: Ctx,
  userId: number,
  blocked: ServiceStatus['blocked'],
): Promise<ServiceStatus['last_rejection']> => {
  const row = await ctx.db
    .selectFrom('login_rejection')
    .leftJoin('device', 'device.id', 'login_rejection.device_id')
    .select(['login_rejection.reason', 'login_rejection.create_at', 'device.name as device_name'])
    .where('login_rejection.subscriber_id', '=', userId)
    .orderBy('login_rejection.create_at', 'desc')
    .orderBy('login_rejection.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const later = ctx.db.selectFrom('online_session').select('id').where('subscriber_id', '=', userId).where('login_at', '>', row.create_at);
  const isSolved = ofAccount.includes(row.reason)
    ? blocked?.reason !== row.reason
    : (await later.limit(1).executeTakeFirst()) !== undefined;
  return { ...row, is_solved: isSolved, fixes: isSolved || !isReason(row.reason) ? [] : fixesOf[row.reason] };
};
