import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Devices that a template `t` of the agent `a` applies to. */
export const inTemplateScope = (device: string): RawBuilder<SqlBool> => sql<SqlBool>`case when t.level = 'group'
  then ${sql.ref(`${device}.device_group_id`)} = t.device_group_id
  else ${sql.ref(`${device}.agent_id`)} = any(array(select b.id from agent b where b.path like a.path || '%')) end`;
