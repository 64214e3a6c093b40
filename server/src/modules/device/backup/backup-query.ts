import type { SessionInfo } from '../../../db/column-types.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import type { Db } from '../../../kit/deps.ts';
import { operatorName, operatorValue } from '../../../kit/list/operator-name.ts';
import { inScope } from '../../../kit/list/scope.ts';

export const backupsAlone = (db: Db, me: SessionInfo) =>
  db.selectFrom('device_backup').where(inScope(me, 'device_backup.agent_id', 'device_backup.device_id'));

/** Selects each column and filter of the list under its name. */
export const backupQuery = (db: Db, reader: Pick<Ctx, 'me' | 'lang'>) =>
  backupsAlone(db, reader.me)
    .leftJoin('agent', 'agent.id', 'device_backup.agent_id')
    .select([
      'device_backup.id',
      'device_backup.device_id',
      'device_backup.device_name',
      'device_backup.sn',
      'device_backup.file_name',
      'device_backup.backup_type',
      'device_backup.version',
      'device_backup.size',
      'device_backup.md5',
      'device_backup.agent_id as vno_id',
      'agent.name as agent_name',
      'device_backup.create_at',
      operatorName(reader, 'device_backup.operator', 'device_backup.operator_agent_id').as('operator'),
      operatorValue(reader, 'device_backup.remark', 'device_backup.operator_agent_id').as('remark'),
    ]);
