import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { prepared } from '../../db/prepare.ts';
import type { Ctx } from '../ctx.ts';
import type { Db } from '../deps.ts';
import { fail } from '../fail.ts';

/**
 * Central rule for the rows that a session may use: its own branch of the tree, limited by its role. `agent` and `device` are column
 * references such as 'customer.agent_id'.
 */
export const inScope = (me: SessionInfo, agent: string, device?: string): RawBuilder<SqlBool> => {
  const conditions = [inBranch(me, agent)];
  const { vno_ids, device_ids } = me.rights;
  if (vno_ids) conditions.push(sql<SqlBool>`${sql.ref(agent)} = any(${vno_ids}::bigint[])`);
  if (device_ids && device) conditions.push(sql<SqlBool>`${sql.ref(device)} = any(${device_ids}::bigint[])`);
  return sql.join(conditions, sql` and `);
};

/**
 * The session's own VNO and all VNOs below it; for the platform the whole tree. A read has the branch ids as a constant array, so that the
 * planner can estimate the rows. Otherwise a subquery is used, not a join: PostgreSQL rechecks a row that was locked after a wait, and a
 * join would lose it.
 */
export const inBranch = (
  me: Pick<SessionInfo, 'agent_level' | 'agent_path' | 'branch'>,
  agent: string | RawBuilder<unknown>,
): RawBuilder<SqlBool> => {
  if (me.agent_level === 0) return sql<SqlBool>`true`;
  const owner = typeof agent === 'string' ? sql.ref(agent) : agent;
  if (me.branch) return sql<SqlBool>`${owner} = any(${me.branch}::bigint[])`;
  return sql<SqlBool>`${owner} = any(array(select id from agent_branch where path like ${`${me.agent_path}%`}))`;
};

/** Same session with the current ids of its branch, for one read. */
export const withBranch = async (db: Db, me: SessionInfo): Promise<SessionInfo> => {
  if (me.agent_level === 0) return me;
  const ids = sql<{ ids: number[] }>`${sql.raw(prepared)}select coalesce(array_agg(id), '{}') as ids from agent_branch
    where path like ${`${me.agent_path}%`}`;
  return { ...me, branch: (await ids.execute(db)).rows[0]?.ids ?? [] };
};

/** Roles limited to VNOs below do not include the session's own VNO. */
export const seesOwnVno = ({ agent_id, rights }: SessionInfo): boolean => rights.vno_ids?.includes(agent_id) ?? true;

/** Rows of the session's own VNO, if its role includes it. */
export const ownScope = (me: SessionInfo, agent: string): RawBuilder<SqlBool> =>
  seesOwnVno(me) ? sql<SqlBool>`${sql.ref(agent)} = ${me.agent_id}` : sql<SqlBool>`false`;

/** New rows of the own VNO need a role that includes it. */
export const requireOwnVno = ({ me }: Ctx) => {
  if (!seesOwnVno(me)) throw fail('denied');
};

/** In scope, and not the session's own VNO. */
export const belowScope = (me: SessionInfo, agent: string): RawBuilder<SqlBool> =>
  me.branch
    ? inScope({ ...me, branch: me.branch.filter((id) => id !== me.agent_id) }, agent)
    : sql<SqlBool>`${sql.ref(agent)} <> ${me.agent_id} and ${inScope(me, agent)}`;

/** Same check for a loaded device, used for live updates to many sessions. `path` is that of its VNO. */
export const seesDevice = (me: SessionInfo, device: { readonly id: number; readonly agent_id: number; readonly path: string }): boolean => {
  const { vno_ids, device_ids } = me.rights;
  const isInBranch = me.agent_level === 0 || device.path.startsWith(me.agent_path);
  return isInBranch && (!vno_ids || vno_ids.includes(device.agent_id)) && (!device_ids || device_ids.includes(device.id));
};
