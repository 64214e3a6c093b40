import { apLinkLogCalls as calls } from '@farlink/contract/log/ap-link-log.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';

export const listApLinkLog: Handler<typeof calls.list> = (ctx, input) =>
  pageOf(
    ctx.db,
    calls.list,
    input,
    ctx.db
      .selectFrom('ap_link_log')
      .leftJoin('agent', 'agent.id', 'ap_link_log.agent_id')
      .leftJoin('device', (join) =>
        join.onRef('device.id', '=', 'ap_link_log.device_id').on(inScope(ctx.me, 'device.agent_id', 'device.id')),
      )
      .select([
        'ap_link_log.id',
        'ap_link_log.device_id',
        'device.name as device_name',
        'ap_link_log.sn',
        'ap_link_log.ap_name',
        'ap_link_log.ap_mac',
        'ap_link_log.ap_ip',
        'ap_link_log.ap_state',
        'ap_link_log.notified',
        'ap_link_log.duration',
        'ap_link_log.create_at',
        'ap_link_log.agent_id as vno_id',
        'agent.name as agent_name',
      ])
      .where(inScope(ctx.me, 'ap_link_log.agent_id', 'ap_link_log.device_id')),
    ctx.db.selectFrom('ap_link_log').where(inScope(ctx.me, 'ap_link_log.agent_id', 'ap_link_log.device_id')),
  );
