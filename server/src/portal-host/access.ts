import { say } from '@farlink/contract/kit/text.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import { refusalTexts } from '@farlink/portal/refusals.ts';
import type { PortalData } from '@farlink/portal/view.ts';
import { sql } from 'kysely';
import { sendCommand } from '../orders/command.ts';
import { openOnRouter } from './router-state.ts';
import { texts } from './texts.ts';
import { messageData, type Visit } from './visit.ts';

/** Seconds for which the command is valid; later the visitor has left the page. */
const commandValidS = 60;

/** The session of this client on its gateway or router. */
export const openOnGateway = async (visit: Visit) => {
  const { session, deps } = visit;
  if (session?.mac == null) return openOnRouter(visit);
  return deps.db
    .selectFrom('online_session')
    .select(['id', 'subscriber_id'])
    .where('device_id', '=', session.device_id)
    .where((eb) => eb(eb.fn('lower', ['mac']), '=', session.mac))
    .where('logout_at', 'is', null)
    .executeTakeFirst();
};

const lastLogin = async ({ deps: { db, clock }, session }: Visit, account: string) => {
  const { rows } = await sql<{ state: number; err: string | null }>`
    select state, err from device_command
    where device_id = ${session?.device_id} and op = 'user.login' and args ->> 'mac' = ${session?.mac} and args ->> 'acc' = ${account}
      and create_at > ${clock.now() - 2 * commandValidS}
    order by create_at desc, id desc limit 1`.execute(db);
  return rows[0];
};

/**
 * Requests the gateway of this client to open its session. A gateway that proxies the portal has checked the login itself, so it gets the
 * command only if it has no session.
 */
export const connectClient = async (visit: Visit, subscriber: { readonly id: number; readonly account: string }) => {
  const { deps, session } = visit;
  if (session?.device_id == null || session.mac === null) return;
  const device = await deps.db.selectFrom('device').select(['online_state', 'caps']).where('id', '=', session.device_id).executeTakeFirst();
  if (device?.online_state !== 1 || !device.caps.includes('login')) return;
  if ((await openOnGateway(visit))?.subscriber_id === subscriber.id) return;
  const now = deps.clock.now();
  const args = { acc: subscriber.account, mac: session.mac, ...(session.ip !== null && { ip: session.ip }) };
  await deps.db
    .transaction()
    .execute((db) => sendCommand(db, session.device_id ?? 0, 'user.login', args, { now, deadline: now + commandValidS }));
};

const isRefusal = (reason: string): reason is keyof typeof refusalTexts => Object.hasOwn(refusalTexts, reason);

/** Result of the login on the gateway, for a client that has no session there. */
export const connectionMessage = async (visit: Visit, account: string): Promise<Pick<PortalData, 'message' | 'isError'>> => {
  if (visit.session?.mac == null || (await openOnGateway(visit))) return {};
  const last = await lastLogin(visit, account);
  if (!last) return {};
  if (last.state < commandState.id('done')) return messageData(texts.connecting, visit.lang);
  const reason = last.err ?? '';
  if (!isRefusal(reason)) return {};
  // The password was right, so an unknown account is one of another gateway.
  const text = reason === 'unknown' ? texts.notHere : refusalTexts[reason];
  return { message: say(text, visit.lang), isError: true };
};
