import type { Pool } from 'pg';
import type { Get } from '../list/cases.ts';
import { largeVno } from '../world/tables.ts';

const pageSize = 20;

const lists = [
  { name: 'business traffic', path: 'traffic/flow/usr', table: 'business_flow_hour' },
  { name: 'management traffic', path: 'traffic/flow/mgt', table: 'manage_flow_hour' },
  { name: 'business DPI', path: 'traffic/dpi/usr', table: 'business_dpi_hour' },
  { name: 'management DPI', path: 'traffic/dpi/mgt', table: 'manage_dpi_hour' },
] as const;

type Reader = 'platform' | 'vno';
export type Readers = Readonly<Record<Reader, Get>>;

export interface Case {
  readonly name: string;
  readonly kind: 'newest' | 'biggest' | 'middle' | 'sums';
  /** Requests on a server with this many rows of the list. */
  readonly request: (readers: Readers, rows: number) => Promise<string>;
  /** The same page written by hand, with a capped count. */
  readonly baseline: (pool: Pool, rows: number) => Promise<void>;
  readonly count: (pool: Pool) => Promise<number>;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

const ofReader = (reader: Reader) => (reader === 'vno' ? `r.agent_id = ${largeVno.id}` : 'true');

/** The middle page is as far as possible from both ends of the list and of its hour. The number of hours is even. */
const middle = (rows: number, { start, end }: Range) => Math.max(1, Math.floor((rows / 2 + (rows * 1800) / (end + 1 - start)) / pageSize));

const caseOf = (list: (typeof lists)[number], reader: Reader, kind: Case['kind'], range: Range): Case => {
  const { start, end } = range;
  const period = `time_start=${start}&time_end=${end}&lang=zh`;
  const order = kind === 'biggest' ? 'total_bytes desc' : 'time desc';
  const baselineOrder = `r.${order}, ${kind === 'biggest' ? '' : 'r.agent_id desc, '}r.id desc`;
  const pageOf = (rows: number) => (kind === 'middle' ? middle(rows, range) : 1);
  const where = `r.time between $1 and $2 and ${ofReader(reader)}`;
  const pageSql = (rows: number) => `select r.*, d.name as device_name, d.sn, a.name as agent_name from (
      select r.* from ${list.table} r where ${where} order by ${baselineOrder} limit ${pageSize} offset ${(pageOf(rows) - 1) * pageSize}) r
    left join device d on d.id = r.device_id left join agent a on a.id = r.agent_id order by ${baselineOrder}`;
  const countSql = `select count(*) from (select from ${list.table} r where ${where} limit 10001) c`;
  const sumSql = `select sum(r.up_bytes), sum(r.down_bytes) from ${list.table} r where ${where}`;
  return {
    name: `${list.name}, ${reader}, ${kind}`,
    kind,
    request: (readers, rows) =>
      readers[reader](
        kind === 'sums'
          ? `${list.path}?${period}&sums=only&limit=1&page=1`
          : `${list.path}?${period}&sums=later&limit=${pageSize}&page=${pageOf(rows)}&orderby=${order.replace(' ', '%20')}`,
      ),
    baseline: async (pool, rows) => {
      if (kind === 'sums') await pool.query(sumSql, [start, end]);
      else await Promise.all([pool.query(pageSql(rows), [start, end]), pool.query(countSql, [start, end])]);
    },
    count: async (pool) =>
      Number((await pool.query<{ n: string }>(`select count(*) as n from ${list.table} r where ${where}`, [start, end])).rows[0]?.n),
  };
};

export const casesOf = (range: Range): Case[] =>
  lists.flatMap((list) =>
    (['platform', 'vno'] as const).flatMap((reader) =>
      (['newest', 'biggest', 'middle', 'sums'] as const).map((kind) => caseOf(list, reader, kind, range)),
    ),
  );
