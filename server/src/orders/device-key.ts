import { createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Db } from '../kit/deps.ts';
import { hashToken } from '../kit/session/secret.ts';
import { notifyConnections } from './notify.ts';

export const newKey = () => randomBytes(32).toString('base64url');

/** Same format as mosquitto_passwd. Keys are 32 random bytes, so few rounds are enough. */
export const verifierOf = (key: string, salt: Buffer = randomBytes(12)): string => {
  const rounds = 101;
  return `$7$${rounds}$${salt.toString('base64')}$${pbkdf2Sync(key, salt, rounds, 64, 'sha512').toString('base64')}`;
};

export const keyColumns = (key: string) => {
  const key_hash = hashToken(key);
  return { key_hash, key_verifier: `${key_hash} ${verifierOf(key)}`, key_hint: key.slice(-4), key_used_at: null };
};

/** Sets the key of a device and ends the connections that use the old key. */
export const setDeviceKey = async (db: Db, deviceId: number, key: string) => {
  const { sn } = await db.updateTable('device').set(keyColumns(key)).where('id', '=', deviceId).returning('sn').executeTakeFirstOrThrow();
  await notifyConnections(db, { end: sn });
};

/**
 * Keys for the gateways of a demo installation, derived from its secret: the owner can pass them to a simulator and they cannot be guessed.
 * Returns the content of the simulator's `--keys` file.
 */
export const issueDemoKeys = async (db: Db, secretKey: Buffer, deviceIds: readonly number[]): Promise<{ sn: string; key: string }[]> => {
  const devices = await db
    .selectFrom('device')
    .select(['id', 'sn'])
    .where('id', 'in', [...deviceIds, -1])
    .orderBy('id')
    .execute();
  const keys = devices.map(({ id, sn }) => ({ id, sn, key: createHmac('sha256', secretKey).update(`gateway ${sn}`).digest('base64url') }));
  for (const { id, key } of keys) await db.updateTable('device').set(keyColumns(key)).where('id', '=', id).execute();
  return keys.map(({ sn, key }) => ({ sn, key }));
};
