import { dayEnd, dayStart } from '@farlink/contract/kit/zone.ts';
import type { Period } from '@farlink/contract/traffic/period.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { type TrafficQuery, whereSql } from './traffic-query.ts';
import { rowsSql } from './traffic-rows.ts';
import { splitDays, tableFor } from './traffic-sums.ts';

/** The rollup counts rows by device and network. Other conditions, and months, need the rows. */
export const hasRowCounts = ({ stat, total, needs }: TrafficQuery) =>
  stat !== 'month' && total === undefined && [...needs].every((need) => need === 'device' || need === 'network');

interface Count {
  readonly time: number;
  readonly n: number;
}

/** Rows of the list by hour or day, from the counts of that hour or day. */
const countsSql = (query: TrafficQuery, period: Period): RawBuilder<unknown> => {
  const grain = query.stat === 'hour' ? 'hour' : 'day';
  return sql`select r.time, sum(r.row_count) as n from ${tableFor(query, [], grain)} as r where ${whereSql(query, period)} group by r.time`;
};

/** Rows of the list by day. Whole days of a list by hour come from the counts of days. */
const dayCountsSql = (query: TrafficQuery): RawBuilder<unknown> => {
  if (query.stat !== 'hour') return countsSql(query, query.period);
  const { days, edges } = splitDays(query.period);
  const whole =
    days &&
    sql`select r.time, sum(r.hour_row_count) as n from ${tableFor(query, [], 'day')} as r where ${whereSql(query, days)} group by r.time`;
  const parts = edges.map((edge) => sql`select ${dayStart(edge.start)}::bigint as time, e.n from (${countsSql(query, edge)}) as e`);
  return sql.join([...(whole ? [whole] : []), ...parts], sql` union all `);
};

const groupedBy = async (db: Db, counts: RawBuilder<unknown>): Promise<readonly Count[]> => {
  const { rows } = await sql<Count>`select t.time, sum(t.n)::bigint as n from (${counts}) as t group by t.time order by t.time`.execute(db);
  return rows;
};

/** Number of rows. At most `cap` rows are counted if the rollup has no counts for the filter; null: all. */
export const countRows = async (db: Db, query: TrafficQuery, cap: number | null): Promise<number> => {
  const { rows } = await (hasRowCounts(query)
    ? sql<{ n: number }>`select coalesce(sum(t.n), 0)::bigint as n from (${dayCountsSql(query)}) as t`
    : sql<{ n: number }>`select count(*)::bigint as n from (select 1 from (${rowsSql(query)}) as t limit ${sql.lit(cap)}) as c`
  ).execute(db);
  return rows[0]?.n ?? 0;
};

interface Start {
  readonly interval: Count;
  /** Rows before the interval. */
  readonly before: number;
}

/** The interval in which the row after `offset` rows is. */
const findAt = (counts: readonly Count[], offset: number): Start | undefined => {
  let before = 0;
  for (const interval of counts) {
    if (before + interval.n > offset) return { interval, before };
    before += interval.n;
  }
  return undefined;
};

/** Smaller offsets are read over. */
const deepOffset = 1000;

/** Some rows of a page: those of a shorter period, in the order of the list or from its end. */
export interface Piece {
  readonly query: TrafficQuery;
  readonly offset: number;
  readonly limit: number;
  readonly isReversed: boolean;
}

interface Cut {
  readonly offset: number;
  readonly limit: number;
  readonly isNewestFirst: boolean;
}

const within = (a: Period, b: Period): Period => ({ start: Math.max(a.start, b.start), end: Math.min(a.end, b.end) });

/** The rows of a page that begins in an interval: those of the interval, read from its nearer end, and those after it. */
const piecesOf = (query: TrafficQuery, { interval, before }: Start, { offset, limit, isNewestFirst }: Cut): readonly Piece[] => {
  const { period } = query;
  const end = query.stat === 'hour' ? interval.time + 3599 : dayEnd(interval.time);
  const first = offset - before;
  const taken = Math.min(limit, interval.n - first);
  const isReversed = first > interval.n / 2;
  const own: Piece = {
    query: { ...query, period: within(period, { start: interval.time, end }) },
    offset: isReversed ? interval.n - first - taken : first,
    limit: taken,
    isReversed,
  };
  const rest = isNewestFirst ? { start: period.start, end: interval.time - 1 } : { start: end + 1, end: period.end };
  if (taken === limit || rest.start > rest.end) return [own];
  return [own, { query: { ...query, period: rest }, offset: 0, limit: limit - taken, isReversed: false }];
};

interface Deep {
  readonly pieces: readonly Piece[];
  /** Rows of the list, if they were counted. */
  readonly total?: number;
}

/**
 * A page in order of time. Far from the start, it begins at its hour or day, so that at most half of the rows of one are read over. No
 * pieces: the list ends before the page. Counts and rows are separate reads, so a rollup between them can shift a page as it does between
 * two pages.
 */
export const deepPage = async (db: Db, query: TrafficQuery, cut: Cut): Promise<Deep> => {
  const { offset, limit, isNewestFirst } = cut;
  if (offset < deepOffset || !hasRowCounts(query)) return { pieces: [{ query, offset, limit, isReversed: false }] };
  const inOrder = (counts: readonly Count[]) => (isNewestFirst ? counts.toReversed() : counts);
  const days = await groupedBy(db, dayCountsSql(query));
  const total = days.reduce((sum, { n }) => sum + n, 0);
  const day = findAt(inOrder(days), offset);
  if (!day) return { pieces: [], total };
  if (query.stat !== 'hour') return { pieces: piecesOf(query, day, cut), total };
  const ofDay = within(query.period, { start: day.interval.time, end: dayEnd(day.interval.time) });
  const hour = findAt(inOrder(await groupedBy(db, countsSql(query, ofDay))), offset - day.before);
  return { pieces: hour ? piecesOf(query, { ...hour, before: day.before + hour.before }, cut) : [], total };
};
