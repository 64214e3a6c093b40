import { remoteCalls as calls } from '@farlink/contract/device/remote.ts';
import { sql } from 'kysely';
import { endRow, notifySession } from '../../../domain/remote/end-session.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail } from '../../../kit/fail.ts';
import { FileResponse } from '../../../kit/files/file-response.ts';
import { openFileStore } from '../../../kit/files/open-file-store.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { actedBy, operatorName, operatorValue } from '../../../kit/list/operator-name.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { record } from '../../../kit/log/record.ts';

const mine = (ctx: Ctx) => inScope(ctx.me, 'r.agent_id', 'r.device_id');

const findSession = async (ctx: Ctx, id: number) => {
  const row = await ctx.db.selectFrom('remote_session as r').selectAll().where('r.id', '=', id).where(mine(ctx)).executeTakeFirst();
  if (!row) throw fail('not_found');
  return row;
};

export const listSessions: Handler<typeof calls.sessions> = (ctx, input) => {
  let query = ctx.db
    .selectFrom('remote_session as r')
    .select([
      'r.id',
      'r.service',
      'r.state',
      'r.device_name',
      'r.sn',
      'r.create_at',
      'r.up_bytes',
      'r.down_bytes',
      'r.request_count',
      'r.end_reason',
      'r.message',
      'r.reason',
      operatorName(ctx, 'r.operator', 'r.operator_agent_id').as('operator'),
      actedBy(ctx, 'r.acted_by').as('acted_by'),
      sql<string>`coalesce(${operatorValue(ctx, 'r.ip', 'r.operator_agent_id')}, '')`.as('ip'),
      sql<number>`coalesce(r.end_at, ${ctx.now()}) - r.create_at`.as('duration'),
      sql<boolean>`r.recording_key is not null`.as('recorded'),
    ])
    .where(mine(ctx));
  if (input.device_id !== undefined && input.device_id !== null) query = query.where('r.device_id', '=', input.device_id);
  return pageOf(ctx.db, calls.sessions, input, query);
};

export const readSession: Handler<typeof calls.read> = async (ctx, { id }) => {
  const row = await findSession(ctx, id);
  const { service, device_id, device_name, state, end_reason, message, read_only, create_at, active_at } = row;
  return { id, service, device_id, device_name, state, end_reason, message, read_only, create_at, active_at };
};

export const listRequests: Handler<typeof calls.requests> = async (ctx, input) => {
  await findSession(ctx, input.session_id);
  const query = ctx.db
    .selectFrom('remote_request as q')
    .select(['q.id', 'q.at', 'q.method', 'q.path', 'q.status', 'q.up_bytes', 'q.down_bytes', 'q.ms'])
    .where('q.session_id', '=', input.session_id);
  return pageOf(ctx.db, calls.requests, input, query);
};

/** The process with the tunnel is notified when the transaction commits. */
export const closeSession: Handler<typeof calls.close> = async (ctx, { id }) => {
  const { device_name, sn, device_id, service } = await findSession(ctx, id);
  if (!(await endRow(ctx.db, id, { now: ctx.now(), reason: 'closed' }))) throw fail('remote_ended');
  await notifySession(ctx.db, id);
  record(ctx, [`关闭设备 ${device_name}（${sn}）的远程会话 #${id}`, `Ended remote session #${id} to device ${device_name} (${sn})`], {
    after: { service, remote_session: id },
    subject: device_id === null ? undefined : `device:${device_id}`,
  });
};

/** The replay is logged before the recording is sent. */
export const replaySession: Handler<typeof calls.replay> = async (ctx, { id }) => {
  const { recording_key, recording_size, device_name, sn, device_id } = await findSession(ctx, id);
  if (recording_key === null) throw fail('remote_unrecorded');
  record(ctx, [`查看设备 ${device_name}（${sn}）的终端录像 #${id}`, `Viewed terminal recording #${id} of device ${device_name} (${sn})`], {
    after: { remote_session: id },
    subject: device_id === null ? undefined : `device:${device_id}`,
  });
  const body = await openFileStore(ctx.deps.config).get(recording_key);
  return new FileResponse({ body, type: 'application/x-asciicast', name: `${sn}-${id}.cast`, size: recording_size ?? undefined });
};
