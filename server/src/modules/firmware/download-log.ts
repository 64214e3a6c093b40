import { firmwareLogCalls as calls } from '@farlink/contract/firmware/download-log.ts';
import { sql } from 'kysely';
import type { Handler } from '../../kit/http/serve.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';

/** Longer than any download; an entry without an end after this time was cut off by a process exit. */
const abandonedS = 3600;

export const listDownloads: Handler<typeof calls.list> = (ctx, input) =>
  pageOf(
    ctx.db,
    calls.list,
    input,
    ctx.db
      .selectFrom('firmware_log')
      .leftJoin('agent_branch', 'agent_branch.id', 'firmware_log.agent_id')
      .select([
        'firmware_log.id',
        'firmware_log.version',
        'firmware_log.model',
        'firmware_log.file_name',
        operatorName(ctx, 'firmware_log.operator').as('operator'),
        'firmware_log.ip',
        'firmware_log.create_at',
        'firmware_log.agent_id as vno_id',
        'agent_branch.name as agent_name',
        sql<
          'success' | 'fail' | null
        >`coalesce(firmware_log.result, case when firmware_log.create_at < ${ctx.now() - abandonedS}::bigint then 'fail' end)`.as('result'),
      ])
      .where(inScope(ctx.me, 'firmware_log.agent_id')),
  );
