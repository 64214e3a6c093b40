import { linkName } from '@farlink/contract/device/link-name.ts';
import type { Listing } from '@farlink/contract/kit/endpoint.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { TrafficKind } from '@farlink/contract/traffic/kinds.ts';
import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { type RawBuilder, sql } from 'kysely';
import { asOf } from '../../domain/traffic-query/as-of.ts';
import { countRows, deepPage, hasRowCounts } from '../../domain/traffic-query/traffic-counts.ts';
import { type TrafficQuery, trafficQuery } from '../../domain/traffic-query/traffic-query.ts';
import { pageSql, rowsSql, timeOrder } from '../../domain/traffic-query/traffic-rows.ts';
import { sumsOf } from '../../domain/traffic-query/traffic-sums.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import { orderSql } from '../../kit/list/conditions.ts';
import { type ListInput, listingOf, offsetOf, withSums } from '../../kit/list/listing.ts';
import { namedSql, protocolNames, sortKeyOf } from './traffic-names.ts';

/** Orders that an index supports. */
const indexed = ['time', 'total_bytes'];
/** Stored columns without an index: rows are sorted before names are added. */
const stored = ['up_bytes', 'down_bytes', 'peak_speed', 'session_count'];
const defaultOrder = 'time desc';

/** Sorting by another column reads all filtered rows, so it is refused for too many. */
export const refuseCostlySort = async (db: Db, query: TrafficQuery, orderby: string | undefined) => {
  if (orderby === undefined || indexed.includes(orderby.split(' ')[0] ?? '')) return;
  const maxRows = limits.flowSortRows;
  if ((await countRows(db, query, maxRows + 1)) > maxRows) throw fail('flow_sort_limit', { args: [maxRows] });
};

interface Page {
  /** Undefined beyond the last row. */
  readonly rows?: RawBuilder<unknown>;
  /** Rows of the list, if they were counted. */
  readonly total?: number | undefined;
}

/** A page in the order of a column that is not stored. */
const sortedSql = (query: TrafficQuery, { lang }: Ctx, { limit, orderby }: ListInput, offset: number): RawBuilder<unknown> => {
  const [column = '', direction] = (orderby ?? defaultOrder).split(' ');
  const key = sortKeyOf(column, lang);
  if (!key) throw new Error(`no order by ${column}`);
  const way = direction === 'asc' ? sql`asc` : sql`desc`;
  return sql`select t.* from (${rowsSql(query)}) as t ${key.join}
    order by ${key.value} ${way}, t.id ${way} limit ${sql.lit(limit)} offset ${sql.lit(offset)}`;
};

/** The order of a list or export by time. Other columns use the order of the contract. */
export const orderOf = (query: TrafficQuery, orderby = defaultOrder): RawBuilder<unknown> | undefined => {
  if (orderby === 'time desc') return timeOrder(query, 'desc');
  return orderby === 'time asc' ? timeOrder(query, 'asc') : undefined;
};

/** A page in order of time. */
const timePage = async ({ db }: Ctx, query: TrafficQuery, limit: number, offset: number, isNewestFirst: boolean): Promise<Page> => {
  const { pieces, total } = await deepPage(db, query, { offset, limit, isNewestFirst });
  if (pieces.length === 0) return { total };
  const subqueries = pieces.map(({ query: pieceQuery, isReversed, ...cut }) => {
    const order = timeOrder(query, isReversed === isNewestFirst ? 'asc' : 'desc');
    return sql`(${pageSql(pieceQuery, { ...cut, order }, true)})`;
  });
  return { rows: sql.join(subqueries, sql` union all `), total };
};

interface NamedRow {
  readonly protocol_id?: string;
  readonly link?: string;
}

/** Names are added only to the rows of the page. */
const pageOf = async <Row>(ctx: Ctx, query: TrafficQuery, order: RawBuilder<unknown>, input: ListInput, sum: number) => {
  const { limit, orderby } = input;
  const offset = offsetOf(input);
  const [column = '', direction] = (orderby ?? defaultOrder).split(' ');
  const found = async (): Promise<Page> => {
    if (column === 'time') return timePage(ctx, query, limit, offset, direction === 'desc');
    const isStored = indexed.includes(column) || stored.includes(column);
    return { rows: isStored ? pageSql(query, { order, limit, offset }, false) : sortedSql(query, ctx, input, offset) };
  };
  const { rows, total } = await found();
  if (!rows) return { list: [], total };
  const named = namedSql(query, rows, { lang: ctx.lang, total: sum, orderby });
  const page = await sql<Row & NamedRow>`select * from (${named}) as t order by ${order}`.execute(ctx.db);
  const names = protocolNames(query, orderby, ctx.lang);
  const list = page.rows.map((row) => ({
    ...row,
    ...(names && { protocol_name: names.protocol_name(row.protocol_id), category_name: names.category_name(row.protocol_id) }),
    ...(row.link !== undefined && { link: linkName(row.link) }),
  }));
  return { list, total };
};

/** One page of rows, newest first by default, with the sums of all filtered rows. */
export const listTraffic = async <Row>(ctx: Ctx, kind: TrafficKind, input: ListInput): Promise<Listing<Row>> => {
  const { db } = ctx;
  // Read before the rows, so that it is never later than they are.
  const as_of = await asOf(db, kind);
  const query = await trafficQuery(db, kind, { me: ctx.me, now: ctx.now(), filters: input.filters });
  const order = orderOf(query, input.orderby) ?? orderSql(trafficCalls[kind.id].list.resource, input.orderby);
  // The share of a row needs the sum of all.
  const needsSums = input.sums !== 'later' || kind.isDpi;
  const { up_bytes, down_bytes } = needsSums ? await sumsOf(db, query) : { up_bytes: 0, down_bytes: 0 };
  const total = up_bytes + down_bytes;
  const list = async () => {
    await refuseCostlySort(db, query, input.orderby);
    return listingOf(input, {
      // Counts of the rollup cost the same for any number of rows.
      bound: hasRowCounts(query) ? Number.POSITIVE_INFINITY : limits.countCap,
      page: () => pageOf<Row>(ctx, query, order, input, total),
      count: (cap) => countRows(db, query, cap),
    });
  };
  const sums = { up_bytes: String(up_bytes), down_bytes: String(down_bytes), total_bytes: String(total) };
  return { ...(await withSums(input, list, async () => sums)), as_of };
};
