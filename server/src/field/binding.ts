import { type Binding, binding } from '@farlink/gateway/protocol/authorization.ts';
import type { Enrol } from '@farlink/gateway/protocol/message.ts';
import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';
import { keyColumns, newKey } from './device-key.ts';
import { giveLogin } from './device-login.ts';
import { noteOut } from './notify.ts';

export interface Enrolled {
  readonly st: Binding;
  readonly key?: string;
}

/** Gateways that nobody has claimed are kept for the platform to look at, but a stranger cannot fill the table with them. */
const mostUnclaimed = 1000;

const unclaimed: readonly number[] = [binding.unbound, binding.codeError];

const keepUnclaimed = async (db: Db, platformId: number, sn: string, code: string, { hw, model, fw }: Enrol, now: number) => {
  const status = code === '' ? binding.unbound : binding.codeError;
  const { n } = await db
    .selectFrom('device')
    .select(sql<number>`count(*)`.as('n'))
    .where('agent_id', '=', platformId)
    .where('status', 'in', [binding.unbound, binding.codeError])
    .executeTakeFirstOrThrow();
  const said = { merchant_code: code || null, hardware_id: hw, model: model ?? null, version: fw ?? null };
  if (n < mostUnclaimed)
    await db
      .insertInto('device')
      .values({ agent_id: platformId, name: sn, sn, create_at: now, status, ...said })
      .execute();
  return { st: status };
};

/**
 * A gateway without a key tells its merchant code and gets the key of a device of that VNO, once. A key that has been used is given
 * to nobody again: the same box asking is a repeated binding, another box a reset, and an operator decides.
 */
export const enrolDevice = (db: Db, sn: string, code: string, said: Enrol, now: number): Promise<Enrolled> =>
  db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(7205, hashtext(${sn}))`.execute(tx);
    const platform = await tx.selectFrom('agent').select('id').where('agent_level', '=', 0).executeTakeFirstOrThrow();
    const vno = code === '' ? undefined : await tx.selectFrom('agent').select('id').where('code', '=', code).executeTakeFirst();
    const device = await tx
      .selectFrom('device')
      .select(['id', 'agent_id', 'status', 'key_used_at', 'hardware_id'])
      .where('sn', '=', sn)
      .forUpdate()
      .executeTakeFirst();
    const refuse = async (st: Binding): Promise<Enrolled> => {
      await tx
        .updateTable('device')
        .set({ status: st, merchant_code: code || null })
        .where('sn', '=', sn)
        .execute();
      return { st };
    };
    if (device && device.key_used_at !== null) {
      // Who does not even know the code cannot change how a working device is shown.
      if (vno?.id !== device.agent_id) return { st: binding.codeError };
      return refuse(device.hardware_id === null || device.hardware_id === said.hw ? binding.repeated : binding.reset);
    }
    if (!vno) {
      if (device) return refuse(code === '' ? binding.unbound : binding.codeError);
      return keepUnclaimed(tx, platform.id, sn, code, said, now);
    }
    const free = device && device.agent_id === platform.id && unclaimed.includes(device.status);
    if (device && device.agent_id !== vno.id && !free) return refuse(binding.codeError);

    const key = newKey();
    const told = { merchant_code: code, hardware_id: said.hw, model: said.model ?? null, version: said.fw ?? null };
    const row = { ...keyColumns(key), ...told, agent_id: vno.id, status: binding.normal };
    const bound = device
      ? await tx.updateTable('device').set(row).where('id', '=', device.id).returning('id').executeTakeFirstOrThrow()
      : await tx
          .insertInto('device')
          .values({ ...row, name: sn, sn, create_at: now })
          .returning('id')
          .executeTakeFirstOrThrow();
    await giveLogin(tx, bound.id, now);
    return { st: binding.normal, key };
  });

/** An operator lets the gateway bind anew: its key is void, and the next enrolment with the VNO's code gets another. */
export const resetBinding = async (db: Db, deviceId: number) => {
  const { sn } = await db
    .updateTable('device')
    .set({ key_hash: null, key_hint: null, key_used_at: null, hardware_id: null, status: binding.normal })
    .where('id', '=', deviceId)
    .returning('sn')
    .executeTakeFirstOrThrow();
  await noteOut(db, { end: sn });
};
