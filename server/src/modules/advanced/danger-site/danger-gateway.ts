import { type DangerGatewayState, dangerListState } from '@farlink/contract/advanced/danger-gateway.ts';
import { dangerSiteCalls as calls } from '@farlink/contract/advanced/danger-site.ts';
import { dangerCapability } from '@farlink/gateway/protocol/danger-list.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Ctx } from '../../../kit/ctx.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { importKind } from './import-job.ts';

interface CurrentList {
  readonly rev: number;
  readonly count: number;
  readonly digest: string;
}

const currentList = (ctx: Ctx): Promise<CurrentList> =>
  ctx.db
    .selectFrom('danger_list')
    .select(['rev', 'count', sql<string>`lpad(to_hex(digest), 14, '0')`.as('digest')])
    .executeTakeFirstOrThrow();

/** A gateway that never connected may support the list. */
const isUnsupported = sql<SqlBool>`${sql.lit(dangerCapability)} <> all(device.caps) and device.boot is not null`;
const isSupported = sql<SqlBool>`(${sql.lit(dangerCapability)} = any(device.caps) or device.boot is null)`;

/** Conditions on the last message of a gateway that supports the list. Applied requires the digest of the current revision. */
const syncedOf = ({ rev, digest }: CurrentList) => ({
  applied: sql<SqlBool>`danger_sync.acked = ${rev} and danger_sync.digest = ${digest}`,
  failed: sql<SqlBool>`danger_sync.acked = ${rev} and danger_sync.odd_digest is not null and danger_sync.digest is distinct from ${digest}`,
  sent: sql<SqlBool>`danger_sync.sent > danger_sync.acked and danger_sync.acked <> ${rev} and device.online_state = 1`,
});

const listState = (list: CurrentList) => {
  const { applied, failed, sent } = syncedOf(list);
  return sql<DangerGatewayState>`case when ${isUnsupported} then 'unsupported' when ${applied} then 'applied' when ${failed} then 'failed'
    when ${sent} then 'sent' else 'waiting' end`;
};

/** Gateways of one state, by conditions that have indexes and statistics. */
const inState = (list: CurrentList, state: DangerGatewayState): RawBuilder<SqlBool> => {
  const synced = syncedOf(list);
  if (state === 'unsupported') return isUnsupported;
  if (state === 'waiting') return sql<SqlBool>`${isSupported} and (${sql.join(Object.values(synced), sql` or `)}) is not true`;
  return sql<SqlBool>`${isSupported} and ${synced[state]}`;
};

const gatewayQuery = (ctx: Ctx) =>
  ctx.db
    .selectFrom('device')
    .leftJoin('agent', 'agent.id', 'device.agent_id')
    .leftJoin('danger_sync', 'danger_sync.device_id', 'device.id')
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'));

/** The gateways alone, for the number of all and the ids of a page far from the start. */
const wholeQuery = (ctx: Ctx) =>
  ctx.db.selectFrom(
    ctx.db
      .selectFrom('device')
      .select(['device.id', 'device.name as device_name'])
      .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
      .as('gateway'),
  );

export const listDangerGateways: Handler<typeof calls.gateways> = async (ctx, input) => {
  const list = await currentList(ctx);
  const state = dangerListState.find(({ id }) => id === input.filters.list_state)?.id;
  const query = gatewayQuery(ctx)
    .select([
      'device.id',
      'device.id as device_id',
      'device.name as device_name',
      'device.sn',
      'device.online_state',
      'device.version',
      'agent.name as agent_name',
      'danger_sync.acked as revision',
      'danger_sync.count as site_count',
      'danger_sync.acked_at',
      (state ? sql<DangerGatewayState>`${sql.lit(state)}` : listState(list)).as('list_state'),
    ])
    .where(state ? inState(list, state) : sql<SqlBool>`true`);
  return pageOf(ctx.db, calls.gateways, input, query, wholeQuery(ctx));
};

/** Each state is counted by its own index, because one pass over all devices is slower. The remaining gateways are waiting. */
const countGateways = async (ctx: Ctx, list: CurrentList): Promise<Record<DangerGatewayState, number>> => {
  const scope = inScope(ctx.me, 'device.agent_id', 'device.id');
  const { agent_level, rights } = ctx.me;
  const isWhole = agent_level === 0 && !rights.vno_ids && !rights.device_ids;
  const { applied, failed, sent } = syncedOf(list);
  const synced = sql`danger_sync join device on device.id = danger_sync.device_id where ${scope} and ${isSupported}`;
  // An unlimited scope does not need the VNO of each device.
  const current = isWhole ? sql`danger_sync where device_id not in (select device.id from device where ${isUnsupported})` : synced;
  const count = (from: RawBuilder<unknown>) => sql`(select count(*)::int from ${from})`;
  const { rows } = await sql<Record<DangerGatewayState | 'total', number>>`select ${count(sql`${current} and ${applied}`)} as applied,
    ${count(sql`${synced} and ${sent}`)} as sent, ${count(sql`${current} and ${failed}`)} as failed,
    ${count(sql`device where ${scope} and ${isUnsupported}`)} as unsupported, ${count(sql`device where ${scope}`)} as total`.execute(
    ctx.db,
  );
  const { total = 0, ...found } = rows[0] ?? { applied: 0, sent: 0, failed: 0, unsupported: 0 };
  return { ...found, waiting: total - found.applied - found.sent - found.failed - found.unsupported };
};

export const readDangerState: Handler<typeof calls.state> = async (ctx) => {
  const list = await currentList(ctx);
  const last = await ctx.db
    .selectFrom('job')
    .select('id')
    .where('kind', '=', importKind)
    .where('customer_id', '=', ctx.me.uid)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { rev: list.rev, count: list.count, import_id: last?.id ?? null, gateways: await countGateways(ctx, list) };
};
