import { assignLogCalls as calls, roleAssign } from '@farlink/contract/device/assign-log.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import type { ExportBuilders, JobOwner } from '../../kit/export/export-job.ts';
import { exportLog, withConditions } from '../../kit/export/export-log.ts';
import { requestFilled } from '../../kit/export/export-task.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { operatorName, operatorSearch } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';

const assignments = (db: Db, { me, lang }: JobOwner) =>
  db
    .selectFrom('role_assign_log')
    .leftJoin('agent', 'agent.id', 'role_assign_log.agent_id')
    .leftJoin('device', (join) => join.onRef('device.id', '=', 'role_assign_log.device_id').on(inScope(me, 'device.agent_id', 'device.id')))
    .select([
      'role_assign_log.id',
      'role_assign_log.device_id',
      'device.name as device_name',
      'role_assign_log.sn',
      'role_assign_log.username',
      'role_assign_log.role_id',
      'role_assign_log.role_name',
      'role_assign_log.before',
      'role_assign_log.after',
      'role_assign_log.result',
      operatorName({ me, lang }, 'role_assign_log.operator').as('operator'),
      'role_assign_log.ip',
      'role_assign_log.create_at',
      'role_assign_log.agent_id as vno_id',
      'agent.name as agent_name',
      sql<string | null>`${sql.ref(`role_assign_log.message_${lang}`)}`.as('message'),
    ])
    .where(inScope(me, 'role_assign_log.agent_id', 'role_assign_log.device_id'));

export const listAssignments: Handler<typeof calls.list> = (ctx, input) => {
  const { resource } = calls.list;
  const search = operatorSearch(ctx, { column: 'role_assign_log.operator', resource, filter: 'operator', filters: input.filters });
  const all = ctx.db.selectFrom('role_assign_log').where(inScope(ctx.me, 'role_assign_log.agent_id', 'role_assign_log.device_id'));
  return pageOf(ctx.db, calls.list, input, assignments(ctx.db, ctx).where(search), all);
};

export const exportAssignments: Handler<typeof calls.export> = (ctx, input) =>
  requestFilled(ctx, {
    call: calls.export,
    title: ['权限分配日志', 'the permission allocation log'],
    format: input.format,
    input,
    query: assignments(ctx.db, ctx),
  });

const key = operateKey(calls.export);

export const listAssignExports: Handler<typeof calls.exports> = async (ctx, input) =>
  withConditions(ctx, roleAssign, await pageOf(ctx.db, calls.exports, input, exportLog(ctx, [key])));

export const assignExports: ExportBuilders = {
  [key]: (deps, owner) => ({ query: assignments(deps.db, owner), resource: roleAssign }),
};
