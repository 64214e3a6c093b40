import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import { sql } from 'kysely';
import type { LoginProof } from '../db/column-types.ts';
import type { Db } from '../kit/deps.ts';
import { setDesired } from './desired.ts';
import { notifyChange, notifyConnections } from './notify.ts';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number }, Buffer>(scrypt);
const cost = { N: 16_384, r: 8, p: 1 };

export const loginProof = async (password: string): Promise<LoginProof> => {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, 32, cost);
  return { alg: 'scrypt', n: cost.N, r: cost.r, p: cost.p, salt: salt.toString('base64url'), hash: hash.toString('base64url') };
};

const section = 'login';

/** PostgreSQL limits a notification to 8000 bytes. */
const snsPerNotification = 100;

/**
 * Sends the login verifier to every gateway of a VNO, now or at its next connect. One statement, because there may be thousands. A gateway
 * ignores revisions that it has had from an earlier VNO, so they start above `config_floor`.
 */
export const setDesiredLogin = async (db: Db, agentId: number, proof: LoginProof, now: number) => {
  const { rows } = await sql<{ id: number; sn: string; online_state: number }>`
    with wanted as (
      insert into desired_section (device_id, section, rev, hash, doc, update_at)
      select id, ${section}, 1 + config_floor, ${hashOf(proof)}, ${JSON.stringify(proof)}::jsonb, ${now} from device where agent_id = ${agentId}
      order by id
      on conflict (device_id, section) do update set rev = desired_section.rev + 1, hash = excluded.hash, doc = excluded.doc, settled = false,
        sent_at = null, update_at = excluded.update_at
      returning device_id
    )
    select d.id, d.sn, d.online_state from wanted join device d on d.id = wanted.device_id`.execute(db);
  const online = rows.filter((row) => row.online_state === 1).map((row) => row.sn);
  for (let at = 0; at < online.length; at += snsPerNotification)
    await notifyConnections(db, { wake: online.slice(at, at + snsPerNotification) });
  const ids = rows.map((row) => row.id);
  if (ids.length > 0) await notifyChange(db, 'section', ids);
  return ids.length;
};

/** Sends the login password of the VNO to a device that has just been bound to it. */
export const issueLogin = async (db: Db, deviceId: number, now: number) => {
  const owner = await db
    .selectFrom('device')
    .innerJoin('agent', 'agent.id', 'device.agent_id')
    .select('agent.device_login')
    .where('device.id', '=', deviceId)
    .executeTakeFirstOrThrow();
  if (owner.device_login) await setDesired(db, deviceId, section, owner.device_login, { now });
};
