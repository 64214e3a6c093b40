import { randomBytes } from 'node:crypto';
import { isTerminal, type RemoteService, remoteService } from '@farlink/contract/device/remote.ts';
import { limits } from '@farlink/contract/limits.ts';
import { authorizationAt, mayReceive } from '@farlink/gateway/protocol/authorization.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { RemoteAccess } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { hashToken, randomToken } from '../../kit/session/secret.ts';
import { sendCommand } from '../../orders/command.ts';
import { notifySession } from './end-session.ts';

/** Options that the operator chose when opening a terminal. */
export interface TerminalOptions {
  readonly reason: string;
  readonly encoding: 'utf8' | 'gbk' | 'latin1';
  readonly read_only: boolean;
  /** Allows a link that is billed by volume. */
  readonly lband: boolean;
  /** Target for the gateway: which modem or antenna, and how to reach it. */
  readonly to: JsonObject;
}

/** Locks the device, so that two operators cannot both take the last free session. */
const findReachable = async (ctx: Ctx, id: number, lband: boolean) => {
  const device = await ctx.db
    .selectFrom('device')
    .select(['id', 'agent_id', 'name', 'sn', 'online_state', 'network', 'auth_status', 'auth_expire_at'])
    .where('id', '=', id)
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!device) throw fail('not_found');
  if (device.online_state !== 1) throw fail('device_offline');
  if (device.network === 'l_band' && !lband) throw fail('remote_l_band');
  if (!mayReceive(authorizationAt(device.auth_status, device.auth_expire_at, ctx.now()))) throw fail('remote_unauthorized');
  return device;
};

const refuseTooMany = async ({ db, sessionId }: Ctx, deviceId: number) => {
  const { of_login, of_device } = await db
    .selectFrom('remote_session')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('session_id', '=', sessionId).as('of_login'),
      fn.countAll<number>().filterWhere('device_id', '=', deviceId).as('of_device'),
    ])
    .where('end_at', 'is', null)
    .where((eb) => eb.or([eb('session_id', '=', sessionId), eb('device_id', '=', deviceId)]))
    .executeTakeFirstOrThrow();
  if (Number(of_login) >= limits.remotePerLogin || Number(of_device) >= limits.remotePerDevice) throw fail('remote_busy');
};

/** Random label of characters that are valid in a host name. */
const newLabel = () =>
  BigInt(`0x${randomBytes(13).toString('hex')}`)
    .toString(36)
    .padStart(20, '0')
    .slice(-20);

const addressOf = async ({ request }: Ctx, remote: RemoteAccess, service: RemoteService) => {
  if (isTerminal(service)) return { port: null, urlOf: (id: number, _: string, ticket: string) => `/device/terminal/${id}#${ticket}` };
  const address = await remote.address(request.host);
  if (!address) throw fail('remote_busy');
  return { port: address.port, urlOf: (_: number, label: string, ticket: string) => `${address.origin(label)}/_farlink/#${ticket}` };
};

/** Requests a tunnel from the gateway and returns a ticket for the operator. */
export const openSession = async (ctx: Ctx, id: number, service: RemoteService, options?: TerminalOptions) => {
  const { to = {}, ...rest } = options ?? {};
  const device = await findReachable(ctx, id, options?.lband === true);
  const remote = ctx.deps.remote;
  if (!remote) throw fail('remote_off');
  await refuseTooMany(ctx, id);
  const { port, urlOf } = await addressOf(ctx, remote, service);
  const now = ctx.now();
  const label = newLabel();
  const ticket = randomToken();
  const token = randomToken();
  const { host, port: sshPort, fingerprint } = remote.ssh;
  const order = { host, port: sshPort, user: device.sn, token, fp: fingerprint, services: [service], ttl: limits.remoteMaxS };
  const more = { ...(options?.lband && { any: true }), ...to };
  const command_id = await sendCommand(ctx.db, id, 'remote.open', { ...order, ...more }, { now, deadline: now + limits.remoteOpenS });
  const session = await ctx.db
    .insertInto('remote_session')
    .values({
      agent_id: device.agent_id,
      device_id: id,
      device_name: device.name,
      sn: device.sn,
      service,
      customer_id: ctx.me.uid,
      session_id: ctx.sessionId,
      operator: ctx.me.username,
      operator_name: ctx.me.name,
      operator_agent_id: ctx.me.agent_id,
      acted_by: ctx.me.acted_by,
      ip: ctx.ip,
      user_agent: ctx.userAgent,
      lang: ctx.lang,
      node: remote.node,
      label,
      port,
      ticket_hash: hashToken(ticket),
      ticket_until: now + limits.remoteTicketS,
      tunnel_hash: hashToken(token),
      command_id,
      create_at: now,
      active_at: now,
      beat_at: now,
      ...rest,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await notifySession(ctx.db, session.id);
  const [zh, en] = remoteService.find((s) => s.id === service)?.label ?? [service, service];
  record(ctx, [`远程访问设备 ${device.name}（${device.sn}）的${zh}`, `Opened remote ${en} of device ${device.name} (${device.sn})`], {
    after: { service, remote_session: session.id, ...rest, ...to },
    subject: `device:${id}`,
  });
  return { id: session.id, url: urlOf(session.id, label, ticket), token: ticket, expire_at: now + limits.remoteTicketS };
};
