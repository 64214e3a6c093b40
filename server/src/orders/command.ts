import { randomBytes } from 'node:crypto';
import { commandState } from '@farlink/contract/protocol/command.ts';
import type { OperationName } from '@farlink/gateway/protocol/command.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';
import type { Operator } from '../kit/session/operator.ts';
import { liveChannel, notifyConnections } from './notify.ts';

/** Bits of the time in an id: about 36 minutes in microseconds. */
const timeBits = 31;
const randomBits = 17;

/**
 * 12 hexadecimal digits: time in microseconds, then random bits. Commands of the same second are sent in the order of their ids, and must
 * reach the gateway in the order in which they were requested.
 */
export const newCommandId = (nowUs = Math.floor((performance.timeOrigin + performance.now()) * 1000)): string => {
  const random = randomBytes(3).readUIntBE(0, 3) % 2 ** randomBits;
  return ((nowUs % 2 ** timeBits) * 2 ** randomBits + random).toString(16).padStart(12, '0');
};

interface CommandOptions {
  readonly now: number;
  /** Epoch seconds after which the command must not be executed. */
  readonly deadline: number;
  /** The operator who requested the command, for the logs. */
  readonly by?: Operator;
}

/** Part of the caller's transaction. The command waits until its deadline if the gateway is offline or on an expensive link. */
export const sendCommand = async (db: Db, deviceId: number, op: OperationName, args: JsonObject, { now, deadline, by }: CommandOptions) => {
  const id = newCommandId();
  const { sn, current_link: link } = await db
    .selectFrom('device')
    .select(['sn', 'current_link'])
    .where('id', '=', deviceId)
    .executeTakeFirstOrThrow();
  const request = { operator: by?.name ?? null, uid: by?.uid ?? null, operator_agent_id: by?.agent_id ?? null, link };
  await db
    .insertInto('device_command')
    .values({ id, device_id: deviceId, op, args: JSON.stringify(args), deadline, create_at: now, ...request })
    .execute();
  await notifyConnections(db, { wake: [sn] });
  return id;
};

/** Cancels a command that the gateway has not received yet. Returns false if it was already sent. */
export const cancelCommand = async (db: Db, id: string, now: number): Promise<boolean> => {
  const row = await db
    .updateTable('device_command')
    .set({ state: commandState.to('cancel'), finish_at: now })
    .where('id', '=', id)
    .where('state', 'in', commandState.from('cancel'))
    .returning('device_id')
    .executeTakeFirst();
  if (row) await sql`select pg_notify(${liveChannel}, ${JSON.stringify({ what: 'command', ids: [row.device_id] })})`.execute(db);
  return row !== undefined;
};
