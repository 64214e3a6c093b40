import { dayEnd, dayStart } from '@farlink/contract/kit/zone.ts';
import type { Period } from '@farlink/contract/traffic/period.ts';
import { type RawBuilder, sql } from 'kysely';
import { bounded } from '../../db/bounded.ts';
import type { Db } from '../../kit/deps.ts';
import { kindTables } from '../traffic/kinds.ts';
import { type Dimension, type TrafficQuery, whereSql } from './traffic-query.ts';
import { rowsSql } from './traffic-rows.ts';

type Grain = 'hour' | 'day';

/** The smallest table that has all the columns. Rows of the list are read only for accounts, services, and applications by hour. */
export const tableFor = ({ kind, needs }: TrafficQuery, more: readonly Dimension[], grain: Grain): RawBuilder<unknown> => {
  const all = new Set([...needs, ...more]);
  if (all.has('account') || all.has('service') || (all.has('protocol') && grain === 'hour')) return sql.table(kindTables[kind.id][grain]);
  if (all.has('protocol')) {
    const table = sql.table(all.has('device') ? 'dpi_device_day' : 'dpi_agent_day');
    return sql`(select * from ${table} where kind = ${kind.id})`;
  }
  const table = sql.table(all.has('device') || all.has('network') ? `flow_sum_${grain}` : `agent_flow_${grain}`);
  return sql`(select * from ${table} where kind = ${kind.id})`;
};

/** Whole days of a period, and the hours before and after them: each edge is in one day. */
export const splitDays = ({ start, end }: Period): { readonly days: Period | undefined; readonly edges: readonly Period[] } => {
  const first = dayStart(start) === start ? start : dayEnd(start) + 1;
  const last = dayEnd(end) === end ? end : dayStart(end) - 1;
  // Within one day.
  if (dayStart(start) === dayStart(end) && first > last) return { days: undefined, edges: [{ start, end }] };
  const edges = [
    { start, end: first - 1 },
    { start: last + 1, end },
  ];
  return { days: first > last ? undefined : { start: first, end: last }, edges: edges.filter((edge) => edge.start <= edge.end) };
};

/** Up and down bytes of a period by one column; whole days come from day tables. Summed in each table, where workers of Citus do it. */
const sourceOf = (query: TrafficQuery, period: Period, more: readonly Dimension[], column: RawBuilder<unknown>): RawBuilder<unknown> => {
  const { days, edges } = splitDays(period);
  const read = (grain: Grain, range: Period) =>
    sql`select ${column}, sum(r.up_bytes) as up_bytes, sum(r.down_bytes) as down_bytes
      from ${tableFor(query, more, grain)} as r where ${whereSql(query, range)} group by 1`;
  return sql.join([...(days ? [read('day', days)] : []), ...edges.map((edge) => read('hour', edge))], sql` union all `);
};

/** Fits a number, like the stored sums. */
const sumSql = (column: string) => sql.raw(bounded(`sum(${column})`));

export interface TrafficSums {
  readonly up_bytes: number;
  readonly down_bytes: number;
}

/** Sums of all filtered rows. */
export const sumsOf = async (db: Db, query: TrafficQuery): Promise<TrafficSums> => {
  // A condition on the total of a row needs the rows.
  const source = query.total ? rowsSql(query) : sourceOf(query, query.period, [], sql`1`);
  const { rows } =
    await sql<TrafficSums>`select coalesce(${sumSql('t.up_bytes')}, 0) as up_bytes, coalesce(${sumSql('t.down_bytes')}, 0) as down_bytes
    from (${source}) as t`.execute(db);
  return rows[0] ?? { up_bytes: 0, down_bytes: 0 };
};

interface Bucket extends TrafficSums {
  readonly bucket: number;
}

/** Sums of each interval of a period. */
export const bucketsOf = async (db: Db, base: TrafficQuery, period: Period, step: number): Promise<readonly Bucket[]> => {
  const query = { ...base, period };
  const grain = step % 86_400 === 0 && dayStart(period.start) === period.start ? 'day' : 'hour';
  const source = query.total
    ? rowsSql(query)
    : sql`select r.time, r.up_bytes, r.down_bytes from ${tableFor(query, [], grain)} as r where ${whereSql(query, period)}`;
  const { rows } = await sql<Bucket>`
    select ((t.time - ${period.start}::bigint) / ${step}::bigint)::int as bucket, ${sumSql('t.up_bytes')} as up_bytes, ${sumSql('t.down_bytes')} as down_bytes
    from (${source}) as t group by 1`.execute(db);
  return rows;
};

export interface Share extends TrafficSums {
  readonly id: string;
}

interface Grouping {
  readonly needs: readonly Dimension[];
  readonly id: RawBuilder<string>;
  readonly limit: number;
}

/** The largest groups of the filtered rows. */
export const largestOf = async (db: Db, query: TrafficQuery, { needs, id, limit }: Grouping): Promise<readonly Share[]> => {
  const { rows } = await sql<Share>`select t.id, ${sumSql('t.up_bytes')} as up_bytes, ${sumSql('t.down_bytes')} as down_bytes
    from (${sourceOf(query, query.period, needs, sql`${id} as id`)}) as t group by t.id
    order by sum(t.up_bytes + t.down_bytes) desc, t.id limit ${sql.lit(limit)}`.execute(db);
  return rows;
};
