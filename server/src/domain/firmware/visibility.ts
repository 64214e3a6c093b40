import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { inScope } from '../../kit/list/scope.ts';

/** The ids from the platform down to a VNO: what is given to a VNO is given to those below it. */
const lineOf = (path: string) => sql<number[]>`string_to_array(trim(both '/' from ${sql.ref(path)}), '/')::bigint[]`;

const lineOfAgent = (agentId: string) => sql<number[]>`(select ${lineOf('line.path')} from agent line where line.id = ${sql.ref(agentId)})`;

/** Whether the display rule of `firmware` admits a device; `device` names its table or alias. */
export const admitsDevice = (device = 'device'): RawBuilder<SqlBool> => sql<SqlBool>`(
  firmware.display_rule = 'all'
  or ${sql.ref(`${device}.id`)} = any(firmware.device_ids)
  or firmware.vno_ids && ${lineOfAgent(`${device}.agent_id`)})`;

/** Whether it admits a VNO, by itself or through one above. */
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
  // Who is bound to single devices sees what these may have, and not what else their VNO may.
  const given = device_ids ? byDevice : sql<SqlBool>`${byVno} or ${byDevice}`;
  return sql<SqlBool>`(firmware.display_rule = 'all' or ${given})`;
};

/** The VNOs that a rule names, as the alias `seen`, as far as the session may know them; it knows itself, also where one above is named. */
export const namedVnos = (me: SessionInfo): RawBuilder<SqlBool> => sql<SqlBool>`(
  (seen.id = any(firmware.vno_ids) and ${inScope(me, 'seen.id')})
  or (seen.id = ${me.agent_id} and firmware.vno_ids && ${lineOf('seen.path')}))`;
