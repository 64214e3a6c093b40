import type { Handover } from '@farlink/gateway/protocol/portal.ts';
import { type Selectable, sql } from 'kysely';
import type { RouterLogin } from '../db/column-types.ts';
import type { PortalSessionTable } from '../db/tables.ts';
import type { Db } from '../kit/deps.ts';
import { hashToken, randomToken } from '../kit/session/secret.ts';

export type PortalSession = Selectable<PortalSessionTable>;

/** Seconds without a request after which a session ends, and its longest life. */
const idleS = 1800;
const longestS = 86_400;
/** The end moves at most once a minute, so that reading pages does not write rows. */
const renewS = 60;

export const tokenPattern = /^[\w-]{43}$/;

const endAt = ({ create_at, idle_s }: Pick<PortalSession, 'create_at' | 'idle_s'>, now: number) =>
  Math.min(now + idle_s, create_at + longestS);

const renew = async (db: Db, session: PortalSession, now: number) => {
  const expire_at = endAt(session, now);
  if (expire_at - session.expire_at >= renewS)
    await db.updateTable('portal_session').set({ expire_at }).where('id', '=', session.id).execute();
};

export const findSession = async (db: Db, token: string, now: number): Promise<PortalSession | undefined> => {
  if (!tokenPattern.test(token)) return undefined;
  const session = await db
    .selectFrom('portal_session')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('expire_at', '>', now)
    .executeTakeFirst();
  if (session) await renew(db, session, now);
  return session;
};

interface NewSession {
  readonly agent_id: number;
  readonly client?: { readonly device_id: number; readonly mac: string; readonly ip: string } | undefined;
  readonly ip: string;
  readonly subscriber_id?: number | null;
  /** The router of another maker that sent the client. */
  readonly router?: { readonly nas_id: number; readonly login: RouterLogin } | undefined;
  /** The text that opens it, and the end of its validity. */
  readonly handover?: { readonly signed: string; readonly expire_at: number };
}

const rowOf = ({ agent_id, client, ip, subscriber_id = null, router }: NewSession, now: number) => ({
  agent_id,
  device_id: client?.device_id ?? null,
  mac: client?.mac ?? null,
  ip: client?.ip ?? ip,
  subscriber_id,
  nas_id: router?.nas_id ?? null,
  router: router ? JSON.stringify(router.login) : null,
  login_at: subscriber_id === null ? null : now,
  idle_s: idleS,
  expire_at: now + idleS,
  create_at: now,
});

/** Uses a signed text, which is valid once. Only its payload counts: a signature can be written in several ways. Used texts are kept until they expire, because a session can end before. */
const takeHandover = async (db: Db, { signed, expire_at }: NonNullable<NewSession['handover']>, now: number): Promise<boolean> => {
  await db.deleteFrom('portal_handover').where('expire_at', '<', now).execute();
  const taken = await db
    .insertInto('portal_handover')
    .values({ hash: hashToken(signed.split('.')[0] ?? ''), expire_at })
    .onConflict((oc) => oc.column('hash').doNothing())
    .returning('hash')
    .executeTakeFirst();
  return taken !== undefined;
};

/** Opens a session and returns its token. Undefined: the signed text has opened one already. */
export const openSession = async (db: Db, session: NewSession, now: number): Promise<string | undefined> => {
  await db.deleteFrom('portal_session').where('expire_at', '<=', now).execute();
  if (session.handover && !(await takeHandover(db, session.handover, now))) return undefined;
  const token = randomToken();
  await db
    .insertInto('portal_session')
    .values({ ...rowOf(session, now), token_hash: hashToken(token) })
    .execute();
  return token;
};

/** The session of a client whose requests its gateway proxies. An ended one is logged out. */
export const clientSession = (
  db: Db,
  { agent_id, device_id }: { readonly agent_id: number; readonly device_id: number },
  { mac, ip }: Pick<Handover, 'mac' | 'ip'>,
  now: number,
): Promise<PortalSession> => {
  const row = rowOf({ agent_id, client: { device_id, mac, ip }, ip }, now);
  const unlessEnded = (column: 'subscriber_id' | 'login_at') =>
    sql<number | null>`case when portal_session.expire_at > ${now} then portal_session.${sql.ref(column)} end`;
  return db
    .insertInto('portal_session')
    .values(row)
    .onConflict((oc) =>
      oc
        .columns(['device_id', 'mac'])
        .where('token_hash', 'is', null)
        .doUpdateSet({ ip, expire_at: row.expire_at, subscriber_id: unlessEnded('subscriber_id'), login_at: unlessEnded('login_at') }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
};

/** Marks the login of a session without a token, or ends it. */
export const setSubscriber = (db: Db, sessionId: number, subscriberId: number | null, now: number) =>
  db
    .updateTable('portal_session')
    .set({ subscriber_id: subscriberId, login_at: subscriberId === null ? null : now })
    .where('id', '=', sessionId)
    .execute();

export const endSession = (db: Db, sessionId: number) => db.deleteFrom('portal_session').where('id', '=', sessionId).execute();
