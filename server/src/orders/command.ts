import { randomBytes } from 'node:crypto';
import { commandState, type OperationName } from '@farlink/gateway/protocol/command.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';
import { deviceChannel, noteOut } from './notify.ts';

interface CommandOptions {
  readonly now: number;
  /** Epoch seconds after which it must not be executed any more. */
  readonly deadline: number;
  /** Who asks, for the logs that tell of it. */
  readonly by?: { readonly uid: number; readonly name: string };
}

/** Part of the caller's transaction. It waits for a gateway that is away, or on a link that is too dear, until its deadline. */
export const sendCommand = async (db: Db, deviceId: number, op: OperationName, args: JsonObject, { now, deadline, by }: CommandOptions) => {
  const id = randomBytes(6).toString('hex');
  const { sn, current_link: link } = await db
    .selectFrom('device')
    .select(['sn', 'current_link'])
    .where('id', '=', deviceId)
    .executeTakeFirstOrThrow();
  const asked = { operator: by?.name ?? null, uid: by?.uid ?? null, link };
  await db
    .insertInto('device_command')
    .values({ id, device_id: deviceId, op, args: JSON.stringify(args), deadline, create_at: now, ...asked })
    .execute();
  await noteOut(db, { wake: [sn] });
  return id;
};

/** Only what the gateway has not yet taken. False: it had. */
export const cancelCommand = async (db: Db, id: string, now: number): Promise<boolean> => {
  const row = await db
    .updateTable('device_command')
    .set({ state: commandState.to('cancel'), finish_at: now })
    .where('id', '=', id)
    .where('state', 'in', commandState.from('cancel'))
    .returning('device_id')
    .executeTakeFirst();
  if (row) await sql`select pg_notify(${deviceChannel}, ${JSON.stringify({ what: 'command', ids: [row.device_id] })})`.execute(db);
  return row !== undefined;
};
