import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { type Lang, say } from '@farlink/contract/kit/text.ts';
import { speedText } from '@farlink/contract/kit/units.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import { aaaUserCalls as calls } from '@farlink/contract/user/aaa-user.ts';
import type { Enforcement } from '@farlink/contract/user/choices.ts';
import { sql } from 'kysely';
import { unlessHidden } from '../../domain/package/package-sql.ts';
import { coaText } from '../../domain/radius/coa-text.ts';
import { requireNas } from '../../domain/radius/find-nas.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';

const { ids } = commandState;

/** Sessions belong to the VNO at their time. */
export const aaaScope = (ctx: Ctx) => inScope(ctx.me, 'online_session.agent_id', 'online_session.device_id');

const rowsOf = (ctx: Ctx, isOpen: boolean) =>
  ctx.db
    .selectFrom('online_session')
    .where('online_session.source', '=', sql.lit('aaa'))
    .where('online_session.logout_at', isOpen ? 'is' : 'is not', null)
    .where(aaaScope(ctx));

const sessionsOf = (ctx: Ctx, isOpen: boolean) =>
  rowsOf(ctx, isOpen)
    .innerJoin('subscriber', 'subscriber.id', 'online_session.subscriber_id')
    .leftJoin('agent', 'agent.id', 'online_session.agent_id')
    .leftJoin('nas', 'nas.id', 'online_session.nas_id')
    // Current name of the device, only if the device is in scope now.
    .leftJoin('device', (join) =>
      join.onRef('device.id', '=', 'online_session.device_id').on(inScope(ctx.me, 'device.agent_id', 'device.id')),
    )
    .select([
      'online_session.id',
      'subscriber.account',
      'online_session.device_id',
      sql<string | null>`coalesce(device.name, case when online_session.device_id is null then nas.name end)`.as('device_name'),
      'device.sn',
      'online_session.nas_ip',
      'online_session.session_id',
      'online_session.ip',
      'online_session.mac',
      'online_session.login_at',
      'online_session.up_bytes',
      'online_session.down_bytes',
      overshoot.as('overshoot_bytes'),
      'agent.name as agent_name',
      'online_session.agent_id as vno_id',
    ]);

/** Latest request to end the session: a command to the gateway, or a CoA task for a NAS of another maker. */
const kickColumns = {
  state: sql<string | null>`case when online_session.device_id is null then
      (select t.state from coa_task t where t.session_id = online_session.id and t.kind = 'disconnect' order by t.id desc limit 1)
    else (select case c.state when ${ids.queued} then 'waiting' when ${ids.acked} then 'sent' when ${ids.running} then 'sent'
        when ${ids.failed} then 'refused' when ${ids.expired} then 'no_answer' end
      from device_command c where c.device_id = online_session.device_id and c.op = 'user.kick' and c.args ->> 'sid' = online_session.session_id
      order by c.create_at desc limit 1) end`,
  cause: sql<number | null>`(select t.error_cause from coa_task t
    where t.session_id = online_session.id and t.kind = 'disconnect' order by t.id desc limit 1)`,
};

/** Traffic beyond the limits that the NAS had confirmed. */
const overshoot = sql<number>`online_session.overshoot_bytes
  + greatest(0, online_session.up_bytes + online_session.down_bytes - coalesce(online_session.grant_bytes, online_session.up_bytes + online_session.down_bytes))`;

const hasOpenChange = sql`exists (select from coa_task t
  where t.session_id = online_session.id and t.kind = 'change' and t.state in ('waiting', 'sent'))`;

/** Null: the session began without RADIUS limits, as after a restart of the NAS. */
const enforcement = sql<Enforcement | null>`case when online_session.not_enforced_at is not null then 'not_enforced'
  when ${hasOpenChange} then 'pending' when online_session.grant_up is not null then 'enforced' end`;

const speedsText = (up: number | null, down: number | null, lang: Lang): string => {
  const part = (speed: number | null) => say(speed ? speedText(speed) : ['不限', 'unlimited'], lang);
  return `↑${part(up)} ↓${part(down)}`;
};

interface SessionLimits {
  readonly enforcement: Enforcement | null;
  readonly grant_up: number | null;
  readonly grant_down: number | null;
  readonly not_enforced_cause: number | null;
}

const limitText = ({ enforcement: state, grant_up, grant_down, not_enforced_cause: cause }: SessionLimits, lang: Lang): string | null => {
  if (state === null) return null;
  const speeds = speedsText(grant_up, grant_down, lang);
  return state === 'not_enforced' ? `${speeds} (${say(coaText(cause === null ? 'no_answer' : 'refused', cause), lang)})` : speeds;
};

const onlineQuery = (ctx: Ctx) =>
  sessionsOf(ctx, true)
    .leftJoin('package', 'package.id', 'subscriber.package_id')
    .select([
      sql<number>`greatest(0, ${ctx.now()}::bigint - online_session.login_at)`.as('duration'),
      // A speed of 0 would look like "no limit".
      sql<number | null>`nullif(online_session.up_speed, 0)`.as('up_speed'),
      sql<number | null>`nullif(online_session.down_speed, 0)`.as('down_speed'),
      unlessHidden<string>(ctx.me, 'package.name').as('package_name'),
      kickColumns.state.as('kick'),
      kickColumns.cause.as('cause'),
      enforcement.as('enforcement'),
      'online_session.grant_up',
      'online_session.grant_down',
      'online_session.not_enforced_cause',
    ]);

const onlinePage = async (ctx: Ctx, input: InputOf<typeof calls.online>, query: ReturnType<typeof onlineQuery>) => {
  const page = await pageOf(ctx.db, calls.online, input, query);
  return {
    ...page,
    list: page.list.map(({ kick, cause, grant_up, grant_down, not_enforced_cause, ...row }) => ({
      ...row,
      limit_text: limitText({ enforcement: row.enforcement, grant_up, grant_down, not_enforced_cause }, ctx.lang),
      kick_state: kick === null ? null : say(coaText(kick, cause), ctx.lang),
      is_kicking: kick === 'waiting' || kick === 'sent',
    })),
  };
};

export const listAaaOnline: Handler<typeof calls.online> = (ctx, input) => onlinePage(ctx, input, onlineQuery(ctx));

export const listNasOnline: Handler<typeof calls.ofNas> = async (ctx, input) => {
  await requireNas(ctx, input.id);
  return onlinePage(ctx, input, onlineQuery(ctx).where('online_session.nas_id', '=', input.id));
};

export const listAaaLog: Handler<typeof calls.log> = (ctx, input) =>
  pageOf(
    ctx.db,
    calls.log,
    input,
    sessionsOf(ctx, false).select([
      'online_session.logout_at',
      'online_session.terminate_cause',
      sql<number>`greatest(0, online_session.logout_at - online_session.login_at)`.as('duration'),
    ]),
  );
