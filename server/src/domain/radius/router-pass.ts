import { sql } from 'kysely';
import { preparedByIds } from '../../db/prepare.ts';
import type { Db } from '../../kit/deps.ts';
import { randomToken, seal } from '../../kit/session/secret.ts';

/** Seconds for which a router can use a one-time password. */
const validS = 60;
/** CoovaChilli hides a password in blocks of 16 bytes and reads it up to the first zero byte. */
const passwordLength = 15;

interface PassOwner {
  readonly subscriber_id: number;
  readonly nas_id: number;
  readonly mac: string;
}

/** A new one-time password of this account for this client of this NAS. It replaces an earlier one. */
export const issueRouterPass = async (db: Db, secretKey: Buffer, owner: PassOwner, now: number): Promise<string> => {
  const clear = randomToken(12).slice(0, passwordLength);
  const password = seal(secretKey, clear);
  await db.deleteFrom('router_pass').where('expire_at', '<=', now).execute();
  await db
    .insertInto('router_pass')
    .values({ ...owner, password, expire_at: now + validS })
    .onConflict((oc) => oc.columns(['subscriber_id', 'nas_id', 'mac']).doUpdateSet({ password, expire_at: now + validS }))
    .execute();
  return clear;
};

export interface RouterPass extends PassOwner {
  /** Sealed. */
  readonly password: string;
}

/** Valid one-time passwords of these accounts. */
export const routerPasses = async (db: Db, subscriberIds: readonly number[], now: number): Promise<RouterPass[]> => {
  const { rows } = await sql<RouterPass>`${sql.raw(preparedByIds)}
    select subscriber_id, nas_id, mac, password from router_pass
    where subscriber_id = any(${subscriberIds}::bigint[]) and expire_at > ${now}`.execute(db);
  return rows;
};

export const removeRouterPass = (db: Db, { subscriber_id, nas_id, mac }: PassOwner) =>
  db.deleteFrom('router_pass').where('subscriber_id', '=', subscriber_id).where('nas_id', '=', nas_id).where('mac', '=', mac).execute();
