import { limits } from '@farlink/contract/limits.ts';
import type { SessionInfo } from '../../db/column-types.ts';
import type { PublicCtx } from '../ctx.ts';
import type { Db } from '../deps.ts';
import { hashToken, randomToken } from './secret.ts';
import { type KnownSession, sessionCacheOf } from './session-cache.ts';

/** Sessions end 15 minutes after the last activity. The time is written at most every 30 seconds. */
const idleS = limits.inactivityMs / 1000;
const touchS = 30;

const sessionQuery = { name: 'session', text: 'select id, seen_at, info from session where token_hash = $1 and seen_at >= $2' };

interface Row {
  readonly id: number;
  readonly seen_at: number;
  readonly info: SessionInfo;
}

/** Session data never changes, so it is cached as long as the end of sessions is notified. */
const find = async ({ deps }: PublicCtx, hash: string, now: number): Promise<KnownSession | undefined> => {
  const cache = sessionCacheOf(deps.pool);
  const known = cache?.get(hash);
  if (known && known.seenAt >= now - idleS) return known;
  const version = cache?.version();
  const { rows } = await deps.pool.query<Row>({ ...sessionQuery, values: [hash, now - idleS] });
  const [row] = rows;
  if (!row) return undefined;
  const found = { id: row.id, me: row.info, seenAt: row.seen_at };
  if (version !== undefined) cache?.put(hash, found, version);
  return found;
};

export const findSession = async (ctx: PublicCtx): Promise<{ id: number; me: SessionInfo } | undefined> => {
  const token = ctx.request.headers.authorization;
  if (!token) return undefined;
  const now = ctx.now();
  const session = await find(ctx, hashToken(token), now);
  if (!session) return undefined;
  if (now - session.seenAt >= touchS) {
    session.seenAt = now;
    await ctx.deps.db.updateTable('session').set({ seen_at: now }).where('id', '=', session.id).execute();
  }
  return session;
};

/** Opens a session and returns its token. Only its hash is stored. With `actor`, it ends with the logout of that session. */
export const openSession = async (db: Db, ctx: PublicCtx, info: SessionInfo, actor: number | null = null): Promise<string> => {
  const token = randomToken();
  const now = ctx.now();
  await db
    .deleteFrom('session')
    .where('seen_at', '<', now - idleS)
    .execute();
  await db
    .insertInto('session')
    .values({
      token_hash: hashToken(token),
      customer_id: info.uid,
      agent_id: info.agent_id,
      info: JSON.stringify(info),
      acted_by: info.acted_by,
      actor_session_id: actor,
      ip: ctx.ip,
      create_at: now,
      seen_at: now,
    })
    .execute();
  return token;
};
