import { userAppLogCalls as calls } from '@farlink/contract/log/user-app-log.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';

/** Lines of the scope, or of one account. */
const linesOf = ({ db, me }: Ctx, userId: number | null | undefined) =>
  db
    .selectFrom('policy_log')
    .where(inScope(me, 'policy_log.agent_id', 'policy_log.device_id'))
    .$if(typeof userId === 'number', (query) => query.where('policy_log.subscriber_id', '=', userId ?? 0));

export const listUserAppLog: Handler<typeof calls.list> = (ctx, input) =>
  pageOf(
    ctx.db,
    calls.list,
    input,
    linesOf(ctx, input.user_id)
      .leftJoin('agent', 'agent.id', 'policy_log.agent_id')
      .leftJoin('device', 'device.id', 'policy_log.device_id')
      .select([
        'policy_log.id',
        'policy_log.account',
        'policy_log.device_id',
        'device.name as device_name',
        'device.sn',
        'policy_log.policy_source',
        'policy_log.application_name',
        'policy_log.policy_name',
        'policy_log.mode',
        'policy_log.content',
        'policy_log.result',
        operatorName(ctx, 'policy_log.operator').as('operator'),
        'policy_log.create_at',
        'policy_log.application_id',
        'policy_log.policy_id',
        'policy_log.agent_id as vno_id',
        'agent.name as agent_name',
        sql<0 | 1>`case when policy_log.custom_policy then 1 else 0 end`.as('custom_policy'),
        sql<string | null>`${sql.ref(`policy_log.message_${ctx.lang}`)}`.as('message'),
      ]),
    linesOf(ctx, input.user_id),
  );
