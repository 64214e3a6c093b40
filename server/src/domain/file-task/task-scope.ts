import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { inScope } from '../../kit/list/scope.ts';

/** Tasks in the branch of the session; with a device scope, tasks for at least one of these devices. */
export const taskScope = ({ me }: { readonly me: SessionInfo }): RawBuilder<SqlBool> => {
  const devices = me.rights.device_ids;
  return devices
    ? sql<SqlBool>`${inScope(me, 'file_task.agent_id')} and exists (select from file_task_device r where r.task_id = file_task.id and r.device_id = any(${devices}::bigint[]))`
    : inScope(me, 'file_task.agent_id');
};
