import { say } from '@farlink/contract/kit/text.ts';
import type { userDetailCalls as calls, FixAction, PackageHolding, ServiceStatus } from '@farlink/contract/user/user-detail.ts';
import { remaining } from '../../domain/metering/engine/remaining.ts';
import { speedsAt } from '../../domain/metering/engine/service-at.ts';
import { statusAt } from '../../domain/metering/engine/status-at.ts';
import type { MeterState } from '../../domain/metering/engine/types.ts';
import { loadMeters } from '../../domain/metering/store/load-meters.ts';
import { unlessHidden } from '../../domain/package/package-sql.ts';
import { policyChains } from '../../domain/subscriber/policy-chains.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { findUser, type UserRow } from './find-user.ts';
import { blockedNow, fixesFor, lastRejectionOf, nextOf, refillsOf, resetOf } from './service-causes.ts';
import { syncOf } from './user-sync.ts';

const endless: MeterState = { clock: 0, holdings: [], overrun: { bytes: 0, seconds: 0 } };

const packagesOf = (ctx: Ctx, userId: number) =>
  ctx.db
    .selectFrom('holding')
    .innerJoin('package', 'package.id', 'holding.package_id')
    .select([
      'holding.id',
      'holding.package_id',
      'package.kind',
      'package.priority',
      'holding.activated_at',
      'holding.refunded_at',
      unlessHidden<string>(ctx.me, 'package.name').as('package_name'),
    ])
    .where('holding.subscriber_id', '=', userId)
    .execute();

const holdingsOf = async (ctx: Ctx, state: MeterState, userId: number): Promise<PackageHolding[]> => {
  const now = ctx.now();
  const { queue } = statusAt(state, now);
  const left = new Map(remaining(state, now).map((each) => [each.id, each]));
  const speeds = new Map(state.holdings.map((holding) => [holding.id, speedsAt(state, holding, now)]));
  const stored = (await packagesOf(ctx, userId)).flatMap(({ refunded_at, ...row }): PackageHolding[] => {
    const of = left.get(row.id);
    const speed = speeds.get(row.id);
    const turn = queue.indexOf(row.id);
    return of && speed
      ? [
          {
            ...of,
            ...row,
            ...(refunded_at !== null && { status: 'refunded' }),
            up_speed: speed.up_speed,
            down_speed: speed.down_speed,
            package_name: row.package_name ?? '***',
            turn: turn < 0 ? null : turn + 1,
          },
        ]
      : [];
  });
  // Active holdings first, then future ones, then ended ones.
  return stored.sort((a, b) => (a.turn ?? Infinity) - (b.turn ?? Infinity) || b.id - a.id);
};

const onlineOf = async (ctx: Ctx, user: UserRow): Promise<ServiceStatus['online']> => {
  const session = await ctx.db
    .selectFrom('online_session')
    .select(['login_at', 'ip', 'mac'])
    .where('subscriber_id', '=', user.id)
    .where('logout_at', 'is', null)
    .orderBy('login_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { count: user.online_count, since: session?.login_at ?? null, ip: session?.ip ?? null, mac: session?.mac ?? null };
};

/** Old sessions are deleted by age, so the first use is the fallback. */
const lastUseOf = async (ctx: Ctx, user: UserRow): Promise<ServiceStatus['last_use']> => {
  const session = await ctx.db
    .selectFrom('online_session')
    .leftJoin('device', 'device.id', 'online_session.device_id')
    .select(['online_session.login_at', 'online_session.logout_at', 'device.name as device_name'])
    .where('online_session.subscriber_id', '=', user.id)
    .orderBy('online_session.login_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (session) return { at: session.logout_at ?? ctx.now(), device_name: session.device_name };
  return user.first_use_at === null ? null : { at: user.first_use_at, device_name: null };
};

/** The following package with its name. */
const nextPackage = (state: MeterState, holdings: readonly PackageHolding[], now: number): ServiceStatus['next'] => {
  const next = nextOf(state, now);
  const name = holdings.find(({ id }) => id === next?.holding)?.package_name;
  return next && name !== undefined ? { ...next, package_name: name } : null;
};

export const readServiceStatus: Handler<typeof calls.serviceStatus> = async (ctx, { id }) => {
  const user = await findUser(ctx, id);
  const now = ctx.now();
  const state = (await loadMeters(ctx.db, [id])).get(id) ?? endless;
  const { service } = statusAt(state, now);
  const blocked = await blockedNow(ctx, id, service);
  const [holdings, online, last_use, last_rejection, sync] = await Promise.all([
    holdingsOf(ctx, state, id),
    onlineOf(ctx, user),
    lastUseOf(ctx, user),
    lastRejectionOf(ctx, id, blocked),
    syncOf(ctx, user),
  ]);
  const fixes = (of: readonly FixAction[]) => fixesFor(user.account_type, of);
  return {
    holdings,
    service,
    blocked: blocked && { ...blocked, fixes: fixes(blocked.fixes) },
    refills: blocked ? [] : fixes(refillsOf(service)),
    overrun_bytes: state.overrun.bytes,
    next: nextPackage(state, holdings, now),
    reset_at: resetOf(state, now),
    online,
    sync,
    last_use,
    last_rejection: last_rejection && { ...last_rejection, fixes: fixes(last_rejection.fixes) },
  };
};

export const readPolicy: Handler<typeof calls.policy> = async (ctx, { id }) => {
  await findUser(ctx, id);
  const { application, credit } = await policyChains(ctx.db, id);
  const chainText = (chain: typeof application | typeof credit) =>
    chain.steps.map(({ level, rule, wins, text }) => ({
      level,
      rule: rule && { id: rule.id, name: rule.name },
      wins,
      text: say(text, ctx.lang),
    }));
  return { application: chainText(application), credit: chainText(credit) };
};
