import { fileTaskIds as ids } from '@farlink/contract/file/choices.ts';
import { fill, type Lang, say } from '@farlink/contract/kit/text.ts';
import { isPortalReason, portalReasons } from '@farlink/contract/market/portal-reasons.ts';
import { portalSendCalls as calls } from '@farlink/contract/market/portal-send.ts';
import { sql } from 'kysely';
import { lightNetworks } from '../../domain/file-task/dispatch-rate.ts';
import { stopTask } from '../../domain/portal/send-portal.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';

/** Reason for the current status, as a key of `portalReasons`, or the text of the gateway. */
const reason = (now: number) => sql<string | null>`case
  when t.ended then t.err
  when t.status in (${ids.downloading}, ${ids.paused}) and d.online_state = 0 then 'lost'
  when t.status = ${ids.paused} then 'link'
  when t.status = ${ids.downloaded} then 'installing'
  when t.status <> ${ids.waiting} then null
  when t.section_rev is null and t.err is not null then 'retry'
  when t.section_rev is null then 'timed'
  when d.auth_status not in ('formal', 'test') or d.auth_expire_at <= ${now} then 'unauthorized'
  when d.online_state = 0 then 'offline'
  when d.network = any(${lightNetworks}::text[]) then 'link'
  else 'sent' end`;

const taskQuery = (ctx: Ctx) =>
  ctx.db
    .selectFrom('portal_task as t')
    .leftJoin('device as d', 'd.id', 't.device_id')
    .select(['t.id', 't.portal_id', 't.portal_name', 't.device_id', 't.device_name', 't.sn', 't.status', 't.progress'])
    .select(['t.create_at', 't.ended', 't.err', reason(ctx.now()).as('message')])
    .where(inScope(ctx.me, 't.agent_id', 't.device_id'));

/** `E_PROBE own page: HTTP 500` and keys become sentences; other texts stay. */
const reasonText = (message: string | null, err: string | null, lang: Lang): string => {
  if (message === null) return '';
  const [head = '', ...rest] = message.split(' ');
  if (!isPortalReason(head)) return message;
  return say(fill(portalReasons[head], head === 'retry' ? (err ?? '') : rest.join(' ')), lang);
};

export const listTasks: Handler<typeof calls.tasks> = async (ctx, input) => {
  const { total, list, ...more } = await pageOf(ctx.db, calls.tasks, input, taskQuery(ctx));
  return { total, list: list.map(({ err, ...row }) => ({ ...row, message: reasonText(row.message, err, ctx.lang) })), ...more };
};

export const stopSend: Handler<typeof calls.stop> = async (ctx, { id }) => {
  const task = await ctx.db
    .selectFrom('portal_task')
    .select(['id', 'portal_name', 'device_name', 'sn', 'device_id', 'status'])
    .where('id', '=', id)
    .where(inScope(ctx.me, 'portal_task.agent_id', 'portal_task.device_id'))
    .executeTakeFirst();
  if (!task) throw fail('not_found');
  // Device before task, as everywhere.
  if (task.device_id !== null) await sql`select from device where id = ${task.device_id} for no key update`.execute(ctx.db);
  await stopTask({ db: ctx.db, config: ctx.deps.config }, id, ctx.now());
  const name = task.device_name === task.sn ? task.sn : `${task.device_name} (${task.sn})`;
  record(ctx, [`停止向设备 ${name} 下发门户 ${task.portal_name}`, `Stopped sending portal ${task.portal_name} to device ${name}`], {
    before: { status: task.status },
    after: { status: ids.aborted },
  });
};
