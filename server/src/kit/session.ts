import { limits } from '@farlink/contract/limits.ts';
import type { Pool } from 'pg';
import type { PublicCtx, SessionInfo } from './ctx.ts';
import type { Db } from './deps.ts';
import { hashToken, randomToken } from './secret.ts';

/** Sessions live 15 minutes after the last activity; their time is written at most every half minute. */
const idleS = limits.inactivityMs / 1000;
const touchS = 30;

/** Every request asks this, so it is a prepared statement straight to the driver. */
const lookUp = { name: 'session', text: 'select id, seen_at from session where token_hash = $1 and seen_at >= $2' };
const tell = { name: 'session_info', text: 'select info from session where id = $1' };

/** Who a session is never changes, only whether it still stands; so each process reads it once. */
const infos = new Map<number, SessionInfo>();
const most = 10_000;

const infoOf = async (pool: Pool, id: number): Promise<SessionInfo | undefined> => {
  const known = infos.get(id);
  if (known) return known;
  const { rows } = await pool.query<{ info: SessionInfo }>({ ...tell, values: [id] });
  const info = rows[0]?.info;
  if (infos.size >= most) infos.clear();
  if (info) infos.set(id, info);
  return info;
};

export const findSession = async (ctx: PublicCtx): Promise<{ id: number; me: SessionInfo } | undefined> => {
  const token = ctx.request.headers.authorization;
  if (!token) return undefined;
  const now = ctx.now();
  const { rows } = await ctx.deps.pool.query<{ id: number; seen_at: number }>({ ...lookUp, values: [hashToken(token), now - idleS] });
  const [row] = rows;
  const me = row && (await infoOf(ctx.deps.pool, row.id));
  if (!me) return undefined;
  if (now - row.seen_at >= touchS) await ctx.deps.db.updateTable('session').set({ seen_at: now }).where('id', '=', row.id).execute();
  return { id: row.id, me };
};

/** Opens a session and answers its token, which exists nowhere else. */
export const openSession = async (db: Db, ctx: PublicCtx, info: SessionInfo): Promise<string> => {
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
      ip: ctx.ip,
      create_at: now,
      seen_at: now,
    })
    .execute();
  return token;
};
