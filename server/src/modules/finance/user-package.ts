import { userPackageCalls as calls } from '@farlink/contract/package/user-package.ts';
import { type SqlBool, sql } from 'kysely';
import { remaining } from '../../domain/metering/engine/remaining.ts';
import { endOf } from '../../domain/metering/engine/status.ts';
import { loadMeters } from '../../domain/metering/store/load-meters.ts';
import { capacityText, extraName, unlessHidden } from '../../domain/package/package-sql.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';

/** Elapsed time if the package sells time, else the time spent online. */
const usedTime = (now: number) =>
  sql<number>`case when package.time_capacity is null then holding.used_time
    else greatest(0, coalesce(least(${now}, holding.ends_at) - holding.activated_at, 0)) end`;

const kindText = ({ lang }: Ctx) =>
  lang === 'en'
    ? sql<string>`case package.kind when 'online' then 'Online' else 'Extra' end`
    : sql<string>`case package.kind when 'online' then '上网套餐' else '加油包' end`;

const periodText = ({ lang }: Ctx) =>
  sql<string | null>`case when holding.periods > 1 then replace(replace(${lang === 'en' ? '{0} of {1}' : '第{0}期，共{1}期'}::text,
    '{0}', holding.period_no::text), '{1}', holding.periods::text) end`;

/** In the view of one user the periods that wait, or ended without use, are shown as one row with the first. */
const asOneRow = sql<SqlBool>`(holding.period_no = 1 or holding.activated_at is not null)`;

/**
 * Outer joins, so a deep page skips holdings only. When sorted by account, `is not null` allows an inner join that starts from accounts.
 */
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
      periodText(ctx).as('period'),
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

/** With a device scope, the accounts are needed to find their devices. */
const holdingsAlone = ({ db, me }: Ctx) =>
  me.rights.device_ids ? undefined : db.selectFrom('holding').where(inScope(me, 'holding.agent_id'));

/** Usage is computed only for the rows of the page. */
export const listUserPackages: Handler<typeof calls.list> = async (ctx, input) => {
  const isOfUser = input.filters.user_id !== undefined;
  const query = holdingQuery(ctx, input.orderby).$if(isOfUser, (q) => q.where(asOneRow));
  const listing = await pageOf(ctx.db, calls.list, input, query, holdingsAlone(ctx));
  const states = await loadMeters(ctx.db, [...new Set(listing.list.map((row) => row.user_id))]);
  const now = ctx.now();
  const usage = new Map(
    [...states.values()].flatMap((state) =>
      state.holdings.flatMap((h) => remaining({ ...state, holdings: [h] }, Math.min(now, endOf(h))).map((r) => [r.id, r.percent] as const)),
    ),
  );
  return { ...listing, list: listing.list.map((row) => ({ ...row, usage: usage.get(row.id) ?? 0 })) };
};
