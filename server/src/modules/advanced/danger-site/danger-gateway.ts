import type { DangerGatewayState } from '@farlink/contract/advanced/danger-gateway.ts';
import { dangerSiteCalls as calls } from '@farlink/contract/advanced/danger-site.ts';
import { dangerCapability } from '@farlink/gateway/protocol/danger-list.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../../kit/ctx.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { importKind } from './import-job.ts';

/** Applied requires the digest of the current revision from the gateway. A gateway that never connected may support the list. */
const listState = sql<DangerGatewayState>`case
  when ${sql.lit(dangerCapability)} <> all(device.caps) and device.boot is not null then 'unsupported'
  when danger_sync.acked = danger_list.rev and danger_sync.digest = lpad(to_hex(danger_list.digest), 14, '0') then 'applied'
  when danger_sync.acked = danger_list.rev and danger_sync.odd_digest is not null then 'failed'
  when danger_sync.sent > danger_sync.acked and device.online_state = 1 then 'sent'
  else 'waiting' end`;

const gatewayQuery = (ctx: Ctx) =>
  ctx.db
    .selectFrom('device')
    .innerJoin('agent', 'agent.id', 'device.agent_id')
    .innerJoin('danger_list', (join) => join.on(sql<boolean>`true`))
    .leftJoin('danger_sync', 'danger_sync.device_id', 'device.id')
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'));

export const listDangerGateways: Handler<typeof calls.gateways> = (ctx, input) =>
  pageOf(
    ctx.db,
    calls.gateways,
    input,
    gatewayQuery(ctx).select([
      ...(['device.id', 'device.id as device_id', 'device.name as device_name', 'device.sn', 'device.online_state'] as const),
      ...(['device.version', 'agent.name as agent_name', 'danger_sync.acked as revision', 'danger_sync.count as site_count'] as const),
      ...(['danger_sync.acked_at'] as const),
      listState.as('list_state'),
    ]),
  );

export const readDangerState: Handler<typeof calls.state> = async (ctx) => {
  const list = await ctx.db.selectFrom('danger_list').select(['rev', 'count']).executeTakeFirstOrThrow();
  const rows = await gatewayQuery(ctx)
    .select([listState.as('state'), sql<number>`count(*)::int`.as('n')])
    .groupBy(sql`1`)
    .execute();
  const last = await ctx.db
    .selectFrom('job')
    .select('id')
    .where('kind', '=', importKind)
    .where('customer_id', '=', ctx.me.uid)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const of = (state: DangerGatewayState) => rows.find((row) => row.state === state)?.n ?? 0;
  return {
    ...list,
    import_id: last?.id ?? null,
    gateways: {
      applied: of('applied'),
      sent: of('sent'),
      waiting: of('waiting'),
      failed: of('failed'),
      unsupported: of('unsupported'),
    },
  };
};
