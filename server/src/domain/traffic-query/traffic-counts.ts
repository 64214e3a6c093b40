import { dayEnd, dayStart } from '@farlink/contract/kit/zone.ts';
import type { Period } from '@farlink/contract/traffic/period.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { type TrafficQuery, whereSql } from './traffic-query.ts';
import { isInVnoOrder, rowsSql } from './traffic-rows.ts';
import { splitDays, tableFor } from './traffic-sums.ts';

/** The rollup counts rows by device and network. Other conditions, and months, need the rows. */
export const hasRowCounts = ({ stat, total, needs }: TrafficQuery) =>
  stat !== 'month' && total === undefined && [...needs].every((need) => need === 'device' || need === 'network');

interface Count {
  readonly time: number;
  readonly n: number;
}

/** Rows of the list by hour or day and VNO, from the counts of its hours or days. */
const countsSql = (query: TrafficQuery, period: Period): RawBuilder<unknown> => {
  const grain = query.stat === 'hour' ? 'hour' : 'day';
  return sql`select r.time, r.agent_id, sum(r.row_count)::bigint as n from ${tableFor(query, [], grain)} as r where ${whereSql(query, period)}
    group by r.time, r.agent_id`;
};

/** Rows of the list by day. Whole days of a list by hour come from the counts of days. */
const dayCountsSql = (query: TrafficQuery): RawBuilder<unknown> => {
  if (query.stat !== 'hour') return countsSql(query, query.period);
  const { days, edges } = splitDays(query.period);
  const whole =
    days &&
    sql`select r.time, sum(r.hour_row_count) as n from ${tableFor(query, [], 'day')} as r where ${whereSql(query, days)} group by r.time`;
  const selects = edges.map((edge) => sql`select ${dayStart(edge.start)}::bigint as time, e.n from (${countsSql(query, edge)}) as e`);
  return sql.join([...(whole ? [whole] : []), ...selects], sql` union all `);
};

const countDays = async (db: Db, query: TrafficQuery): Promise<readonly Count[]> => {
  const { rows } = await sql<Count>`
    select t.time, sum(t.n)::bigint as n from (${dayCountsSql(query)}) as t group by t.time order by t.time`.execute(db);
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

/** Smaller offsets are skipped row by row. */
const deepOffset = 1000;

/** Part of a page: rows of a shorter period, from its start or from its end. */
export interface Piece {
  readonly query: TrafficQuery;
  readonly offset: number;
  readonly limit: number;
  readonly isReversed: boolean;
}

interface PageRange {
  readonly offset: number;
  readonly limit: number;
  readonly isNewestFirst: boolean;
}

/** Rows that follow each other in the list. */
interface Segment {
  readonly query: TrafficQuery;
  /** Row count. Undefined: all remaining rows. */
  readonly n?: number;
}

const within = (a: Period, b: Period): Period => ({ start: Math.max(a.start, b.start), end: Math.min(a.end, b.end) });

/** The rows of a page that begins after `first` rows of a segment, which are read from its nearer end, and continues in the next ones. */
const piecesOf = (own: Required<Segment>, next: readonly Segment[], first: number, limit: number): readonly Piece[] => {
  const taken = Math.min(limit, own.n - first);
  const isReversed = first > own.n / 2;
  const pieces = [{ query: own.query, offset: isReversed ? own.n - first - taken : first, limit: taken, isReversed }];
  let remaining = limit - taken;
  for (const { query, n = remaining } of next) {
    if (remaining === 0 || n === 0) continue;
    pieces.push({ query, offset: 0, limit: Math.min(remaining, n), isReversed: false });
    remaining -= Math.min(remaining, n);
  }
  return pieces;
};

/** The hour or day, and its VNO, in which a page begins. */
interface Start extends Count {
  /** Rows of the list before the hour or day. */
  readonly before: number;
  readonly agent_id: number;
  readonly vno_n: number;
  /** Rows of the hour or day before the VNO. */
  readonly vno_before: number;
}

/** The start of a page after `offset` rows of a period. */
const startOf = async (db: Db, query: TrafficQuery, period: Period, offset: number, isNewestFirst: boolean): Promise<Start | undefined> => {
  const direction = isNewestFirst ? sql`desc` : sql`asc`;
  const { rows } = await sql<Start>`
    with counts as materialized (${countsSql(query, period)}),
    times as (select time, sum(n)::bigint as n, (sum(sum(n)) over (order by time ${direction}) - sum(n))::bigint as before from counts group by time),
    found as (select * from times where ${offset}::bigint >= before and ${offset}::bigint < before + n),
    vnos as (select c.agent_id, c.n, (sum(c.n) over (order by c.agent_id ${direction}) - c.n)::bigint as before from counts c join found using (time))
    select found.time, found.n, found.before, vnos.agent_id, vnos.n as vno_n, vnos.before as vno_before from found
    join vnos on ${offset}::bigint - found.before >= vnos.before and ${offset}::bigint - found.before < vnos.before + vnos.n`.execute(db);
  return rows[0];
};

const ofVnos = (query: TrafficQuery, condition: RawBuilder<SqlBool>, isOf: (id: number) => boolean): TrafficQuery => ({
  ...query,
  conditions: [...query.conditions, { sql: condition }],
  agents: query.agents?.filter(isOf),
});

/** The rows of a page, from its hour or day on. In one with many rows before and after the page, from its VNO on. */
const pageFrom = (query: TrafficQuery, start: Start, { offset, limit, isNewestFirst }: PageRange): readonly Piece[] => {
  const { period } = query;
  const { time, n, agent_id, vno_n, vno_before } = start;
  const end = query.stat === 'hour' ? time + 3599 : dayEnd(time);
  const first = offset - start.before;
  const own = { query: { ...query, period: within(period, { start: time, end }) }, n };
  const rest = isNewestFirst ? { start: period.start, end: time - 1 } : { start: end + 1, end: period.end };
  const next = rest.start > rest.end ? [] : [{ query: { ...query, period: rest } }];
  const isFar = Math.min(first, n - first) > deepOffset && isInVnoOrder(query) && query.agents?.length !== 1;
  if (!isFar) return piecesOf(own, next, first, limit);
  const later = isNewestFirst
    ? ofVnos(own.query, sql`r.agent_id < ${agent_id}`, (id) => id < agent_id)
    : ofVnos(own.query, sql`r.agent_id > ${agent_id}`, (id) => id > agent_id);
  const same = ofVnos(own.query, sql`r.agent_id = ${agent_id}`, (id) => id === agent_id);
  return piecesOf({ query: same, n: vno_n }, [{ query: later, n: n - vno_before - vno_n }, ...next], first - vno_before, limit);
};

interface Deep {
  readonly pieces: readonly Piece[];
  /** Rows of the list, if they were counted. */
  readonly total?: number;
}

/**
 * A page in order of time. Far from the start, it begins at its hour or day, and in a large one at its VNO, so that at most half of the
 * rows of one are read over. No pieces: the list ends before the page. Counts and rows are separate reads, so a rollup between them can
 * shift a page as it does between two pages.
 */
export const deepPage = async (db: Db, query: TrafficQuery, range: PageRange): Promise<Deep> => {
  const { offset, limit, isNewestFirst } = range;
  if (offset < deepOffset || !hasRowCounts(query)) return { pieces: [{ query, offset, limit, isReversed: false }] };
  const days = await countDays(db, query);
  const total = days.reduce((sum, { n }) => sum + n, 0);
  let before = 0;
  for (const { time, n } of isNewestFirst ? days.toReversed() : days) {
    if (before + n > offset) {
      const day = within(query.period, { start: time, end: dayEnd(time) });
      const start = await startOf(db, query, day, offset - before, isNewestFirst);
      return { pieces: start ? pageFrom(query, { ...start, before: before + start.before }, range) : [], total };
    }
    before += n;
  }
  return { pieces: [], total };
};
