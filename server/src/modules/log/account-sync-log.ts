import { accountSyncLogCalls as calls } from '@farlink/contract/log/account-sync-log.ts';
import { sql } from 'kysely';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';

export const listAccountSyncLog: Handler<typeof calls.list> = (ctx, input) =>
  pageOf(
    ctx.db,
    calls.list,
    input,
    ctx.db
      .selectFrom('sync_log')
      .leftJoin('agent', 'agent.id', 'sync_log.agent_id')
      .leftJoin('device', 'device.id', 'sync_log.device_id')
      .select([
        'sync_log.id',
        'sync_log.device_id',
        'device.name as device_name',
        'device.sn',
        'sync_log.direction',
        'sync_log.total',
        'sync_log.success_count',
        'sync_log.fail_count',
        'sync_log.result',
        'sync_log.duration',
        'sync_log.create_at',
        'sync_log.agent_id as vno_id',
        'agent.name as agent_name',
        sql<string | null>`${sql.ref(`sync_log.message_${ctx.lang}`)}`.as('message'),
      ])
      .where(inScope(ctx.me, 'sync_log.agent_id', 'sync_log.device_id')),
    ctx.db.selectFrom('sync_log').where(inScope(ctx.me, 'sync_log.agent_id', 'sync_log.device_id')),
  );
