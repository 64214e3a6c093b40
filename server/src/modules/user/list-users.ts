import { userCalls as calls } from '@farlink/contract/user/user.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { textSql } from '../../kit/list/conditions.ts';
import { narrowOptions } from '../../kit/list/options.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';
import { findUser } from './find-user.ts';
import { markFilters, narrow, shown, userQuery, userRows } from './user-query.ts';

export const listUsers: Handler<typeof calls.list> = async (ctx, input) => {
  const { secretKey } = ctx.deps.config;
  const { rows, filters } = narrow(userRows(ctx.db, ctx), markFilters(secretKey, input.filters), ctx);
  const page = await pageOf(ctx.db, calls.list, { ...input, filters }, userQuery(rows, ctx), rows);
  return { ...page, list: page.list.map((row) => shown(secretKey, row)) };
};

/** Open to every session; accounts and names are returned only with a user page permission. */
export const userOptions: Handler<typeof calls.option> = async (ctx, { account, ...filters }) => {
  const { permissions } = ctx.me;
  if (permissions && !permissions.some((page) => page.startsWith('user_'))) return {};
  const query = ctx.db
    .selectFrom('subscriber')
    .select(['id', 'account', 'name'])
    .where(inScope(ctx.me, 'subscriber.agent_id', 'subscriber.device_id'))
    .$if(typeof account === 'string', (q) => q.where(textSql(sql.ref('subscriber.account'), 'code', account ?? '')))
    .orderBy('create_at', 'desc')
    .orderBy('id', 'desc');
  const rows = await narrowOptions(query, filters, 'subscriber', { account: 'code', name: 'name' }).execute();
  return Object.fromEntries(rows.map((row) => [row.id, `${row.account} (${row.name})`]));
};

const sessionsOf = (ctx: Ctx, userId: number) =>
  ctx.db
    .selectFrom('online_session')
    .leftJoin('device', 'device.id', 'online_session.device_id')
    .select([
      'online_session.id',
      'online_session.ip',
      'online_session.mac',
      'device.name as device_name',
      'online_session.login_at',
      'online_session.logout_at',
      'online_session.up_bytes',
      'online_session.down_bytes',
      'online_session.terminate_cause',
      sql<number>`coalesce(online_session.logout_at, ${ctx.now()}::bigint) - online_session.login_at`.as('duration'),
      // No measurement is null, because a speed of 0 would look like "no limit".
      sql<number | null>`nullif(online_session.up_speed, 0)`.as('up_speed'),
      sql<number | null>`nullif(online_session.down_speed, 0)`.as('down_speed'),
    ])
    .where('online_session.subscriber_id', '=', userId);

export const listOnline: Handler<typeof calls.online> = async (ctx, input) => {
  const { id } = await findUser(ctx, input.user_id);
  return pageOf(ctx.db, calls.online, input, sessionsOf(ctx, id));
};
