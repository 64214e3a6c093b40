import { attention } from '@farlink/contract/device/attention.ts';
import { deviceAuth } from '@farlink/contract/device/choices.ts';
import type { DeviceFigures, FleetPoint, FleetState } from '@farlink/contract/home/summary.ts';
import { limits } from '@farlink/contract/limits.ts';
import { binding } from '@farlink/gateway/protocol/authorization.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { attentionSql } from '../../domain/device/attention-sql.ts';
import { authorizationSql } from '../../domain/device/authorization-sql.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { inScope } from '../../kit/list/scope.ts';

const scope = ({ me }: Ctx) => inScope(me, 'device.agent_id', 'device.id');

const countIf = (name: string, condition: RawBuilder<SqlBool>) => sql`count(*) filter (where ${condition})::int as ${sql.ref(name)}`;

/** Few devices need attention, and indexes find them, so they are counted by a separate query. */
const countOf = (ctx: Ctx, name: string, condition: RawBuilder<SqlBool>) =>
  sql`(select count(*)::int from device where ${scope(ctx)} and ${condition}) as ${sql.ref(name)}`;

/** Counts of states in one pass over the devices. */
export const readDevices = async (ctx: Ctx): Promise<DeviceFigures> => {
  const attentions = await Promise.all(attention.map(async ({ id }) => countOf(ctx, id, await attentionSql(ctx.db, id, ctx.now()))));
  const counts = [
    sql`count(*)::int as total`,
    countIf('online', sql<SqlBool>`device.online_state = 1`),
    countIf('l_band', sql<SqlBool>`device.online_state = 1 and device.network = 'l_band'`),
    countIf('waiting', sql<SqlBool>`device.status = ${sql.lit(binding.waiting)}`),
    ...deviceAuth.map(({ id }) => countIf(id, sql<SqlBool>`${authorizationSql(ctx.now())} = ${sql.lit(id)}`)),
    ...attentions,
  ];
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)} from device where ${scope(ctx)}`.execute(ctx.db);
  const of = (name: string) => rows[0]?.[name] ?? 0;
  return {
    total: of('total'),
    online: of('online'),
    l_band: of('l_band'),
    waiting: of('waiting'),
    auth: { formal: of('formal'), test: of('test'), expired: of('expired'), suspended: of('suspended') },
    attention: { drifted: of('drifted'), failing: of('failing'), expiring: of('expiring'), unusual: of('unusual') },
  };
};

const stateSql = sql<FleetState>`case when device.online_state <> 1 then 'offline' when device.network = 'l_band' then 'l_band' else 'online' end`;

const located = (ctx: Ctx) =>
  ctx.db
    .selectFrom('device')
    .innerJoin('device_status', 'device_status.device_id', 'device.id')
    .where('device_status.lat', 'is not', null)
    .where('device_status.lon', 'is not', null)
    .where(scope(ctx));

/** Degrees. The finest cells that fit on the map are used; the coarsest always fit. */
const cellSizes = [1, 2, 5, 10, 20];

/** Devices of a state within a cell, at their mean position. */
const readCells = async (ctx: Ctx): Promise<FleetPoint[]> => {
  const degrees = located(ctx)
    .select([
      sql`floor(device_status.lat)`.as('south'),
      sql`floor(device_status.lon)`.as('west'),
      stateSql.as('state'),
      sql`sum(device_status.lat)`.as('lat'),
      sql`sum(device_status.lon)`.as('lon'),
      sql`count(*)`.as('n'),
    ])
    .groupBy([sql`floor(device_status.lat)`, sql`floor(device_status.lon)`, stateSql]);
  const { rows } = await sql<FleetPoint>`with degree as materialized (${degrees}),
    cell as (select distinct size, floor(south / size), floor(west / size), state from degree, unnest(${cellSizes}::float8[]) as size),
    fitting as (select size from cell group by size having count(*) <= ${limits.fleetPoints} or size = ${cellSizes.at(-1)} order by size limit 1)
    select sum(lat) / sum(n) as lat, sum(lon) / sum(n) as lon, sum(n)::int as count, state
    from degree, fitting group by floor(south / size), floor(west / size), state`.execute(ctx.db);
  return rows;
};

/** Last known positions. */
export const readFleet = async (ctx: Ctx): Promise<FleetPoint[]> => {
  const rows = await located(ctx)
    .select(['device.id', 'device.name', 'device_status.lat', 'device_status.lon', stateSql.as('state')])
    .orderBy('device.id')
    .limit(limits.fleetPoints + 1)
    .execute();
  if (rows.length > limits.fleetPoints) return readCells(ctx);
  return rows.map(({ id, name, lat, lon, state }) => ({ lat: lat ?? 0, lon: lon ?? 0, state, count: 1, device: { id, name } }));
};
