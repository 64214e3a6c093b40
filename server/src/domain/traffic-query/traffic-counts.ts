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

/** The interval in which the row after `offset` rows is, and the rows before that interval. */
const findAt = (counts: readonly Count[], offset: number): { readonly time: number; readonly before: number } | undefined => {
  let before = 0;
  for (const { time, n } of counts) {
    if (before + n > offset) return { time, before };
    before += n;
  }
  return undefined;
};

/** Smaller offsets are read over. */
const deepOffset = 1000;

interface Deep {
  readonly query: TrafficQuery;
  readonly offset: number;
}

const within = (a: Period, b: Period): Period => ({ start: Math.max(a.start, b.start), end: Math.min(a.end, b.end) });

/**
 * A page far from the start, in order of time: the same page of a shorter period, which begins at its hour or day. Undefined if there is no
 * such row. Counts and rows are separate reads, so a rollup between them can shift a page as it does between two pages.
 */
export const deepPage = async (db: Db, query: TrafficQuery, offset: number, isNewestFirst: boolean): Promise<Deep | undefined> => {
  if (offset < deepOffset || !hasRowCounts(query)) return { query, offset };
  const inOrder = (counts: readonly Count[]) => (isNewestFirst ? counts.toReversed() : counts);
  const day = findAt(inOrder(await groupedBy(db, dayCountsSql(query))), offset);
  if (!day) return undefined;
  const ofDay = within(query.period, { start: day.time, end: dayEnd(day.time) });
  const isHourly = query.stat === 'hour';
  const hour = isHourly ? findAt(inOrder(await groupedBy(db, countsSql(query, ofDay))), offset - day.before) : undefined;
  const at = hour ?? { time: ofDay.start, before: 0 };
  const first = isNewestFirst && !hour ? ofDay.end : at.time;
  const rest = isNewestFirst ? { start: query.period.start, end: first } : { start: first, end: query.period.end };
  return { query: { ...query, period: rest }, offset: Math.max(0, offset - day.before - at.before) };
};
