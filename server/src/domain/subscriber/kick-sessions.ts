import { commandState } from '@farlink/contract/protocol/command.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { sendCommand } from '../../orders/command.ts';
import { notifyChange } from '../../orders/notify.ts';
import { orderDisconnect } from '../radius/coa-task.ts';

/** Deadlines of the command for online and offline gateways. */
const onlineDeadlineS = 300;
const offlineDeadlineS = 86_400;

interface By {
  readonly now: number;
  readonly by?: { readonly uid: number; readonly name: string };
}

/** Sessions of a device with a pending kick command. */
export const kickedSids = (deviceId: number): RawBuilder<string[]> =>
  sql<string[]>`array(select c.args ->> 'sid' from device_command c
    where c.device_id = ${deviceId} and c.op = 'user.kick' and c.state < ${commandState.id('done')})`;

/** Recounts the open sessions of an account. */
export const recountOnline = (db: Db, subscriberId: number) =>
  db
    .updateTable('subscriber')
    .set({
      online_count: sql<number>`(select least(count(*), 30000) from online_session s where s.subscriber_id = subscriber.id and s.logout_at is null)`,
    })
    .where('id', '=', subscriberId)
    .execute();

const openOf = (db: Db, of: { readonly subscriber: number } | { readonly session: number }) =>
  db
    .selectFrom('online_session as s')
    .leftJoin('device as d', 'd.id', 's.device_id')
    .select(['s.id', 's.subscriber_id', 's.session_id', 's.nas_id', 'd.id as device_id', 'd.online_state'])
    .where('s.logout_at', 'is', null)
    .where('subscriber' in of ? 's.subscriber_id' : 's.id', '=', 'subscriber' in of ? of.subscriber : of.session)
    .orderBy('s.id')
    .forUpdate('s')
    .execute();

const isKickSent = async (db: Db, deviceId: number, sid: string) => {
  const { rows } = await sql<{ is_pending: boolean }>`select ${sid} = any(${kickedSids(deviceId)}) as is_pending`.execute(db);
  return rows[0]?.is_pending === true;
};

/**
 * Ends sessions of subscribers, in the caller's transaction; the caller has locked the account. With an online gateway, a session ends when
 * the gateway reports it. With an offline gateway it ends now, and the gateway gets the command when it reconnects. A session at a NAS of
 * another maker ends when the NAS acknowledges a Disconnect-Request. Returns the number of sessions.
 */
export const kickSessions = async (
  db: Db,
  of: { readonly subscriber: number } | { readonly session: number },
  { now, by }: By,
): Promise<number> => {
  const open = await openOf(db, of);
  for (const { id, session_id: sid, device_id, nas_id, online_state } of open) {
    if (device_id === null && nas_id !== null) {
      await orderDisconnect(db, { id, nas_id }, 'kick', { now, by });
      continue;
    }
    if (device_id !== null && !(await isKickSent(db, device_id, sid)))
      await sendCommand(
        db,
        device_id,
        'user.kick',
        { sid },
        { now, deadline: now + (online_state === 1 ? onlineDeadlineS : offlineDeadlineS), by },
      );
    if (device_id !== null) await notifyChange(db, 'user', [device_id]);
    if (online_state === 1) continue;
    await db
      .updateTable('online_session')
      .set({ logout_at: now, terminate_cause: 'kick', up_speed: 0, down_speed: 0 })
      .where('id', '=', id)
      .execute();
  }
  for (const subscriber of new Set(open.map((s) => s.subscriber_id))) await recountOnline(db, subscriber);
  return open.length;
};
