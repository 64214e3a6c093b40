import { userPackageCalls as calls } from '@farlink/contract/package/user-package.ts';
import { sql } from 'kysely';
import { remaining } from '../../domain/metering/remaining.ts';
import { endOf } from '../../domain/metering/status.ts';
import { capacityText, extraName, unlessHidden } from '../../domain/package/package-sql.ts';
import { loadMeters } from '../../domain/subscriber/load-meters.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';

/** By the clock where the package sells time, else what was spent online. */
const usedTime = (now: number) =>
  sql<number>`case when package.time_capacity is null then holding.used_time
    else greatest(0, coalesce(least(${now}, holding.ends_at) - holding.activated_at, 0)) end`;

const kindText = ({ lang }: Ctx) =>
  lang === 'en'
    ? sql<string>`case package.kind when 'online' then 'Online' else 'Extra' end`
    : sql<string>`case package.kind when 'online' then '上网套餐' else '加油包' end`;

/** The joins are outer ones, so that a deep page skips holdings alone; by account the accounts lead, which an inner join allows. */
const holdingQuery = (ctx: Ctx, orderby = '') =>
  ctx.db
    .selectFrom('holding')
    .leftJoin('subscriber', 'subscriber.id', 'holding.subscriber_id')
    .leftJoin('package', 'package.id', 'holding.package_id')
    .leftJoin('agent', 'agent.id', 'holding.agent_id')
    .leftJoin('device', 'device.id', 'subscriber.device_id')
    .select([
      'holding.id',
      'holding.subscriber_id as user_id',
      'subscriber.account',
      'subscriber.name',
      'subscriber.account_type',
      'subscriber.account_source',
      'subscriber.status',
      'package.package_type',
      'package.priority',
      'holding.state as package_status',
      'holding.used_flow',
      'holding.start_at',
      'holding.create_at',
      'holding.agent_id as vno_id',
      'subscriber.device_id',
      'device.name as device_name',
      'agent.name as agent_name',
      kindText(ctx).as('package_kind'),
      capacityText(ctx.lang).as('capacity'),
      usedTime(ctx.now()).as('used_time'),
      'holding.ends_at as expire_at',
      unlessHidden<string>(ctx.me, 'package.name').as('package_name'),
      unlessHidden<number>(ctx.me, 'holding.package_id').as('package_id'),
      extraName(ctx.me, 'package.name').as('extra_name'),
    ])
    .where(inScope(ctx.me, 'holding.agent_id', 'subscriber.device_id'))
    .$if(orderby.startsWith('account '), (query) => query.where('subscriber.id', 'is not', null));

/** A role that names devices needs the accounts to know theirs. */
const holdingsAlone = ({ db, me }: Ctx) =>
  me.rights.device_ids ? undefined : db.selectFrom('holding').where(inScope(me, 'holding.agent_id'));

/** How much of each is gone is reckoned for the rows of the page alone. */
export const listUserPackages: Handler<typeof calls.list> = async (ctx, input) => {
  const listing = await pageOf(ctx.db, calls.list, input, holdingQuery(ctx, input.orderby), holdingsAlone(ctx));
  const states = await loadMeters(ctx.db, [...new Set(listing.list.map((row) => row.user_id))]);
  const now = ctx.now();
  const usage = new Map(
    [...states.values()].flatMap((state) =>
      state.holdings.flatMap((h) => remaining({ ...state, holdings: [h] }, Math.min(now, endOf(h))).map((r) => [r.id, r.percent] as const)),
    ),
  );
  return { ...listing, list: listing.list.map((row) => ({ ...row, usage: usage.get(row.id) ?? 0 })) };
};
