import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from './ctx.ts';

/**
 * The one place that decides which rows a session may name: its own branch of the tree, narrowed by its role.
 * `agent` and `device` are column references such as 'customer.agent_id'.
 */
export const inScope = (me: SessionInfo, agent: string, device?: string): RawBuilder<SqlBool> => {
  const parts = [inBranch(me, agent)];
  const { vno_ids, device_ids } = me.rights;
  if (vno_ids) parts.push(sql<SqlBool>`${sql.ref(agent)} = any(${vno_ids}::bigint[])`);
  if (device_ids && device) parts.push(sql<SqlBool>`${sql.ref(device)} = any(${device_ids}::bigint[])`);
  return sql.join(parts, sql` and `);
};

/** The session's own VNO and everything below it; the platform's branch is the whole tree. */
const inBranch = (me: SessionInfo, agent: string): RawBuilder<SqlBool> =>
  me.agent_level === 0
    ? sql<SqlBool>`true`
    : // An array, not a join: a row that was waited for is judged again, and a join would have lost it by then.
      sql<SqlBool>`${sql.ref(agent)} = any(array(select id from agent_branch where path like ${`${me.agent_path}%`}))`;

/** In scope, and not the session's own VNO. */
export const belowScope = (me: SessionInfo, agent: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(agent)} <> ${me.agent_id} and ${inScope(me, agent)}`;

/** The same judgement on a device that is at hand, for what is told to many sessions at once. `path` is that of its VNO. */
export const seesDevice = (me: SessionInfo, device: { readonly id: number; readonly agent_id: number; readonly path: string }): boolean => {
  const { vno_ids, device_ids } = me.rights;
  const isInBranch = me.agent_level === 0 || device.path.startsWith(me.agent_path);
  return isInBranch && (!vno_ids || vno_ids.includes(device.agent_id)) && (!device_ids || device_ids.includes(device.id));
};
