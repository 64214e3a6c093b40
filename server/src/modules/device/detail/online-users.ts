import { onlineUserCalls as calls } from '@farlink/contract/device/online-user.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { type SqlBool, sql } from 'kysely';
import { kickedSids, kickSessions } from '../../../domain/subscriber/kick-sessions.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { eachOf } from '../../../kit/list/batch.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { record } from '../../../kit/log/record.ts';
import { deviceLabelOf, findDevice, subjectOf } from '../find-device.ts';

/** Sessions belong to the VNO at their time, so a transferred device does not reveal earlier users. */
const sessionScope = (ctx: Ctx) => inScope(ctx.me, 'online_session.agent_id', 'online_session.device_id');

/** Users of the gateway, and of the NAS of other makers at its site. */
const isAtSite = (id: number) => sql<SqlBool>`(online_session.device_id = ${id}
  or online_session.nas_id in (select nas.id from nas where nas.site_device_id = ${id}) and online_session.device_id is null)`;

const isKicked = (id: number) => sql<SqlBool>`(online_session.session_id = any(${kickedSids(id)}) or exists (select from coa_task t
  where t.session_id = online_session.id and t.kind = 'disconnect' and t.state in ('waiting', 'sent')))`;

export const listOnlineUsers: Handler<typeof calls.list> = async (ctx, input) => {
  const { id } = await findDevice(ctx, input.device_id);
  const query = ctx.db
    .selectFrom('online_session')
    .innerJoin('subscriber', 'subscriber.id', 'online_session.subscriber_id')
    .select([
      'online_session.id',
      'subscriber.account',
      'subscriber.name',
      sql<'online' | 'kicking'>`case when ${isKicked(id)} then 'kicking' else 'online' end`.as('state'),
      'online_session.ip',
      'online_session.mac',
      'online_session.login_at',
      sql<number>`greatest(0, ${ctx.now()}::bigint - online_session.login_at)`.as('duration'),
      'online_session.up_bytes',
      'online_session.down_bytes',
      // A speed of 0 would look like "no limit".
      sql<number | null>`nullif(online_session.up_speed, 0)`.as('up_speed'),
      sql<number | null>`nullif(online_session.down_speed, 0)`.as('down_speed'),
    ])
    .where(isAtSite(id))
    .where('online_session.logout_at', 'is', null)
    .where(sessionScope(ctx));
  return pageOf(ctx.db, calls.list, input, query);
};

const actionText: Text = ['强制下线', 'Kick offline'];

const siteOf = sql<number | null>`coalesce(online_session.device_id, nas.site_device_id)`;

/** Account names for the operator log, for sessions in scope. */
const namesOf = async (ctx: Ctx, ids: readonly number[]) => {
  const rows = await ctx.db
    .selectFrom('online_session')
    .innerJoin('subscriber', 'subscriber.id', 'online_session.subscriber_id')
    .leftJoin('nas', 'nas.id', 'online_session.nas_id')
    .select(['online_session.id', 'subscriber.account', siteOf.as('device_id')])
    .where('online_session.id', 'in', ids)
    .where(sessionScope(ctx))
    .execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  return (id: number) => {
    const row = found.get(id);
    const content: Text = [`${actionText[0]} ${row?.account ?? `#${id}`}`, `${actionText[1]} ${row?.account ?? `#${id}`}`];
    return { content, missing: row === undefined, ...(row?.device_id && { subject: subjectOf(row.device_id) }) };
  };
};

export const kickOnlineUsers: Handler<typeof calls.kick> = async (ctx, { ids }) =>
  eachOf(ctx, ids, await namesOf(ctx, ids), async (row, id) => {
    const session = await row.db
      .selectFrom('online_session')
      .leftJoin('nas', 'nas.id', 'online_session.nas_id')
      .innerJoin('device', (join) => join.on('device.id', '=', siteOf))
      .innerJoin('subscriber', 'subscriber.id', 'online_session.subscriber_id')
      .select([
        'device.id as device_id',
        'device.name',
        'device.sn',
        'subscriber.id as user_id',
        'subscriber.account',
        'online_session.logout_at',
      ])
      .where('online_session.id', '=', id)
      .where(sessionScope(row))
      .where(inScope(row.me, 'device.agent_id', 'device.id'))
      .executeTakeFirst();
    if (!session) throw fail('not_found');
    // Locks the account before its sessions, in the same order as ingest.
    await row.db.selectFrom('subscriber').select('id').where('id', '=', session.user_id).forUpdate().execute();
    const kicked = await kickSessions(row.db, { session: id }, { now: row.now(), by: row.me });
    if (kicked === 0) throw fail('user_offline');
    record(
      row,
      [
        `强制设备 ${deviceLabelOf(session)} 的用户 ${session.account} 下线`,
        `Kicked user ${session.account} off device ${deviceLabelOf(session)}`,
      ],
      {
        subject: subjectOf(session.device_id),
      },
    );
  });
