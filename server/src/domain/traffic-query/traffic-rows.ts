import { zoneSeconds } from '@farlink/contract/kit/zone.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { bounded } from '../../db/bounded.ts';
import { kindTables } from '../traffic/kinds.ts';
import { type TrafficQuery, whereSql } from './traffic-query.ts';

/** First second of the month of a day, in the business time zone. */
const monthSql = sql<number>`(extract(epoch from date_trunc('month', to_timestamp(r.time + ${sql.lit(zoneSeconds)}) at time zone 'UTC'))::bigint
  - ${sql.lit(zoneSeconds)})`;

/** Fits a number, like the stored sums. */
const sumSql = (column: string) => sql.raw(bounded(`sum(${column})`));

const keysSql = (query: TrafficQuery) => sql.join(query.kind.keys.map((name) => sql.ref(`r.${name}`)));

const measuresSql = ({ kind }: TrafficQuery) => (kind.isDpi ? sql`r.session_count` : sql`r.seconds, r.peak_speed`);
const summedSql = ({ kind }: TrafficQuery) =>
  kind.isDpi ? sql`${sumSql('r.session_count')} as session_count` : sql`sum(r.seconds)::bigint as seconds, max(r.peak_speed) as peak_speed`;

const tableOf = ({ kind, stat }: TrafficQuery) => sql.table(kindTables[kind.id][stat === 'hour' ? 'hour' : 'day']);

const monthRows = (query: TrafficQuery): RawBuilder<unknown> =>
  sql`select min(r.id) as id, ${monthSql} as time, r.agent_id, r.device_id, ${keysSql(query)}, ${summedSql(query)},
      ${sumSql('r.up_bytes')} as up_bytes, ${sumSql('r.down_bytes')} as down_bytes, ${sumSql('r.total_bytes')} as total_bytes
    from ${tableOf(query)} as r where ${whereSql(query, query.period)}
    group by ${monthSql}, r.agent_id, r.device_id, ${keysSql(query)}`;

/** Only columns of the time indexes, so that rows before a page are skipped without reading the table. */
const storedKeys = (query: TrafficQuery): RawBuilder<unknown> =>
  sql`select r.id, r.time, r.agent_id from ${tableOf(query)} as r where ${whereSql(query, query.period)}`;

const columnsSql = (query: TrafficQuery) =>
  sql`r.id, r.time, r.agent_id, r.device_id, ${keysSql(query)}, ${measuresSql(query)}, r.up_bytes, r.down_bytes, r.total_bytes`;

const storedRows = (query: TrafficQuery): RawBuilder<unknown> =>
  sql`select ${columnsSql(query)} from ${tableOf(query)} as r where ${whereSql(query, query.period)}`;

/** Rows of the list without names. */
export const rowsSql = (query: TrafficQuery): RawBuilder<unknown> => {
  const rows = query.stat === 'month' ? monthRows(query) : storedRows(query);
  return query.total ? sql`select t.* from (${rows}) as t where ${query.total}` : rows;
};

/** Rows of one time are in order of VNO, except where an index of devices, accounts or applications gives the order. */
export const isInVnoOrder = ({ needs }: TrafficQuery) => !(needs.has('device') || needs.has('account') || needs.has('protocol'));

/** The order of a list by time. */
export const timeOrder = (query: TrafficQuery, direction: 'asc' | 'desc'): RawBuilder<unknown> => {
  const order = sql.raw(direction);
  return isInVnoOrder(query) ? sql`t.time ${order}, t.agent_id ${order}, t.id ${order}` : sql`t.time ${order}, t.id ${order}`;
};

/** Above this number of VNOs, rows are read by time and filtered. */
const maxBranches = 50;

interface PageLimits {
  readonly order: RawBuilder<unknown>;
  readonly limit: number;
  readonly offset: number;
}

interface Merge {
  readonly column: RawBuilder<unknown>;
  readonly values: readonly (string | number)[];
  readonly type: RawBuilder<unknown>;
}

/** Values of a column for which an index returns the rows in the order of the page. A device has its own index. */
const mergeOf = ({ agents, needs, stat, indexed, isSpread }: TrafficQuery, isByTime: boolean): Merge | undefined => {
  if (stat === 'month') return undefined;
  const ofVnos = agents && agents.length <= maxBranches && needs.size === 0;
  const vnos = ofVnos ? { column: sql`r.agent_id`, values: agents, type: sql`bigint` } : undefined;
  const found = isByTime && indexed && !needs.has('device') ? { ...indexed, type: sql`text` } : vnos;
  return isSpread && found?.values.length !== 1 ? undefined : found;
};

type RowsSql = (query: TrafficQuery) => RawBuilder<unknown>;

/**
 * The rows of a page. An index gives the order within one VNO, account or application only, so a page of several takes the first rows of
 * each and merges them.
 */
const cutSql = (query: TrafficQuery, rows: RowsSql, { order, limit, offset }: PageLimits, isByTime: boolean): RawBuilder<unknown> => {
  const cut = sql`limit ${sql.lit(limit)} offset ${sql.lit(offset)}`;
  const merge = mergeOf(query, isByTime);
  if (!merge) return sql`select t.* from (${rows(query)}) as t order by ${order} ${cut}`;
  const { column, values, type } = merge;
  const rowsOf = (value: RawBuilder<unknown>) =>
    rows({ ...query, conditions: [...query.conditions, { sql: sql<SqlBool>`${column} = ${value}` }] });
  // An array of one value has no order by the index.
  if (values.length === 1) return sql`select t.* from (${rowsOf(sql`${values[0]}::${type}`)}) as t order by ${order} ${cut}`;
  return sql`select t.* from unnest(${values}::${type}[]) as one(value) cross join lateral (
      select t.* from (${rowsOf(sql`one.value`)}) as t order by ${order} limit ${sql.lit(limit + offset)}) as t
    order by ${order} ${cut}`;
};

/** From this offset, the keys of a page in order of time are found first. */
const keysOffset = 100;

/** One page of rows in an order that an index supports. */
export const pageSql = (query: TrafficQuery, cut: PageLimits, isByTime: boolean): RawBuilder<unknown> => {
  if (!isByTime || cut.offset < keysOffset || query.stat === 'month' || query.total || query.isSpread)
    return cutSql(query, rowsSql, cut, isByTime);
  // The conditions are those of the keys. The period is repeated so that other partitions are left out of the plan.
  const { start, end } = query.period;
  return sql`select t.* from (${cutSql(query, storedKeys, cut, isByTime)}) as k cross join lateral (
      select ${columnsSql(query)} from ${tableOf(query)} as r
      where r.time between ${start} and ${end} and r.time = k.time and r.agent_id = k.agent_id and r.id = k.id) as t`;
};
