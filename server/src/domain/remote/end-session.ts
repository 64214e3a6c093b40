import type { RemoteEnd } from '@farlink/contract/device/remote.ts';
import { limits } from '@farlink/contract/limits.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { cancelCommand, sendCommand } from '../../orders/command.ts';

/** Channel that notifies the processes with tunnels of new, closed and orphaned sessions. */
export const remoteChannel = 'farlink_remote';

export const notifySession = async (db: Db, id: number) => {
  await sql`select pg_notify(${remoteChannel}, ${String(id)})`.execute(db);
};

/** A used token is not stored. */
export const forgetToken = async (db: Db, commandId: string) => {
  await sql`update device_command set args = args - 'token' where id = ${commandId} and args ? 'token'`.execute(db);
};

/** Cancels the open command, or closes the tunnel of a gateway that is already connecting. */
const callBack = async (db: Db, deviceId: number, commandId: string, now: number) => {
  if (await cancelCommand(db, commandId, now)) return;
  const command = await db.selectFrom('device_command').select('state').where('id', '=', commandId).executeTakeFirst();
  if (command?.state === commandState.id('acked') || command?.state === commandState.id('running'))
    await sendCommand(db, deviceId, 'remote.close', { open: commandId }, { now, deadline: now + limits.remoteOpenS });
};

/** Part of the caller's transaction. Undefined: the session had ended before. */
export const endRow = async (db: Db, id: number, end: { now: number; reason: RemoteEnd; message?: string | null }) => {
  const row = await db
    .updateTable('remote_session')
    .set({
      state: sql`case when open_at is null then 'failed' else 'ended' end`,
      end_at: end.now,
      end_reason: end.reason,
      message: end.message ?? null,
    })
    .where('id', '=', id)
    .where('end_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  await forgetToken(db, row.command_id);
  if (row.tunnel_used_at === null && row.device_id !== null) await callBack(db, row.device_id, row.command_id, end.now);
  return row;
};
