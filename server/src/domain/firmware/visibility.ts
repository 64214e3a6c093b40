import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { inScope } from '../../kit/list/scope.ts';

/** Ids from the platform down to a VNO: firmware visible to a VNO is visible to all VNOs below it. */
const lineOf = (path: string) => sql<number[]>`string_to_array(trim(both '/' from ${sql.ref(path)}), '/')::bigint[]`;

const lineOfAgent = (agentId: string) => sql<number[]>`(select ${lineOf('line.path')} from agent line where line.id = ${sql.ref(agentId)})`;

/** True if the display rule of `firmware` includes a device; `device` is its table or alias. */
export const admitsDevice = (device = 'device'): RawBuilder<SqlBool> => sql<SqlBool>`(
  firmware.display_rule = 'all'
  or ${sql.ref(`${device}.id`)} = any(firmware.device_ids)
  or firmware.vno_ids && ${lineOfAgent(`${device}.agent_id`)})`;

/** True if the rule includes a VNO, directly or through a VNO above it. */
export const admitsVno = (vnoId: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`(firmware.display_rule = 'all' or firmware.vno_ids && (select ${lineOf('line.path')} from agent line where line.id = ${vnoId}))`;

/** spec §6: a session sees a version when its display rule admits a VNO or a device within the session's scope. */
export const seenBy = (me: SessionInfo): RawBuilder<SqlBool> => {
  const { vno_ids, device_ids } = me.rights;
  if (me.agent_level === 0 && !vno_ids && !device_ids) return sql<SqlBool>`true`;
  const byDevice = sql<SqlBool>`exists (
    select from device seen where ${inScope(me, 'seen.agent_id', 'seen.id')}
    and (seen.id = any(firmware.device_ids) ${device_ids ? sql`or firmware.vno_ids && ${lineOfAgent('seen.agent_id')}` : sql``}))`;
  const byVno = sql<SqlBool>`exists (select from agent seen where ${inScope(me, 'seen.id')} and firmware.vno_ids && ${lineOf('seen.path')})`;
  // A session limited to single devices sees only the firmware of these devices, not that of their VNO.
  const isIncluded = device_ids ? byDevice : sql<SqlBool>`${byVno} or ${byDevice}`;
  return sql<SqlBool>`(firmware.display_rule = 'all' or ${isIncluded})`;
};

/** VNOs named by a rule, as alias `seen`, within the scope of the session. The session sees its own VNO also when a VNO above is named. */
export const namedVnos = (me: SessionInfo): RawBuilder<SqlBool> => sql<SqlBool>`(
  (seen.id = any(firmware.vno_ids) and ${inScope(me, 'seen.id')})
  or (seen.id = ${me.agent_id} and firmware.vno_ids && ${lineOf('seen.path')}))`;
