import { dayStart } from '@farlink/contract/kit/zone.ts';
import { sql } from 'kysely';
import { kindTables, rolledKinds } from '../src/domain/traffic/kinds.ts';
import type { Db } from '../src/kit/deps.ts';

type Row = Readonly<Record<string, string | number | null>>;
type Values = (string | number | null)[];

export const sumTables = ['flow_sum_hour', 'flow_sum_day', 'agent_flow_hour', 'agent_flow_day', 'dpi_device_day', 'dpi_agent_day'] as const;
export const listTables = rolledKinds.flatMap((kind) => [kindTables[kind].hour, kindTables[kind].day]);

const rowsOf = async (db: Db, table: string): Promise<Row[]> => (await sql<Row>`select * from ${sql.table(table)}`.execute(db)).rows;

/** All tables of traffic without row ids, in one order. */
export const trafficOf = async (db: Db): Promise<Record<string, string[]>> => {
  const tables: Record<string, string[]> = {};
  for (const table of [...listTables, ...sumTables])
    tables[table] = (await rowsOf(db, table)).map(({ id, ...row }) => JSON.stringify(row)).sort();
  return tables;
};

/** Up and down bytes by the values of these columns. */
const sumsBy = (rows: readonly Row[], key: (row: Row) => Values) => {
  const sums: Record<string, [number, number]> = {};
  for (const row of rows) {
    const name = JSON.stringify(key(row));
    const [up, down] = sums[name] ?? [0, 0];
    sums[name] = [up + Number(row.up_bytes), down + Number(row.down_bytes)];
  }
  return sums;
};

/** Rows by the values of these columns; with `column`, the sum of that column. */
const countsBy = (rows: readonly Row[], key: (row: Row) => Values, column?: string) => {
  const counts: Record<string, number> = {};
  for (const row of rows) {
    const name = JSON.stringify(key(row));
    counts[name] = (counts[name] ?? 0) + (column === undefined ? 1 : Number(row[column]));
  }
  return counts;
};

const get = (row: Row, ...columns: string[]): Values => columns.map((column) => row[column] ?? null);

/** Pairs of sums that must be equal, by name. */
export const trafficSums = async (db: Db) => {
  const pairs: Record<string, readonly [unknown, unknown]> = {};
  for (const kind of rolledKinds) {
    const { reports, hour, day, isDpi } = kindTables[kind];
    const ofKind = async (table: string) => (await rowsOf(db, table)).filter((row) => row.kind === kind);
    const raw = await rowsOf(db, reports);
    const hours = await rowsOf(db, hour);
    const days = await rowsOf(db, day);
    const hourSums = await ofKind('flow_sum_hour');
    const daySums = await ofKind('flow_sum_day');
    const dayOf = (row: Row) => dayStart(Number(row.time));
    const device = (row: Row) => get(row, 'device_id');
    pairs[`${kind}: reports and hours`] = [
      sumsBy(
        raw.filter((row) => Number(row.up_bytes) + Number(row.down_bytes) > 0),
        device,
      ),
      sumsBy(hours, device),
    ];
    const perDay = (row: Row, time: number) => [...get(row, 'agent_id', 'device_id', 'account', 'service', 'link', 'protocol_id'), time];
    pairs[`${kind}: hours and days`] = [sumsBy(hours, (r) => perDay(r, dayOf(r))), sumsBy(days, (r) => perDay(r, Number(r.time)))];
    const perDevice = (row: Row) => [...get(row, 'agent_id', 'device_id', 'time'), row.network ?? 'unknown'];
    pairs[`${kind}: hours and sums`] = [sumsBy(hours, perDevice), sumsBy(hourSums, perDevice)];
    pairs[`${kind}: days and sums`] = [sumsBy(days, perDevice), sumsBy(daySums, perDevice)];
    const perAgent = (row: Row) => get(row, 'agent_id', 'time');
    pairs[`${kind}: VNO hours`] = [sumsBy(hours, perAgent), sumsBy(await ofKind('agent_flow_hour'), perAgent)];
    pairs[`${kind}: VNO days`] = [sumsBy(days, perAgent), sumsBy(await ofKind('agent_flow_day'), perAgent)];
    pairs[`${kind}: count of hours`] = [countsBy(hours, perDevice), countsBy(hourSums, perDevice, 'row_count')];
    pairs[`${kind}: count of days`] = [countsBy(days, perDevice), countsBy(daySums, perDevice, 'row_count')];
    const onDay = (row: Row) => [...get(row, 'agent_id', 'device_id'), dayOf(row), row.network ?? 'unknown'];
    pairs[`${kind}: count of hours on days`] = [countsBy(hours, onDay), countsBy(daySums, onDay, 'hour_row_count')];
    pairs[`${kind}: VNO count of hours`] = [countsBy(hours, perAgent), countsBy(await ofKind('agent_flow_hour'), perAgent, 'row_count')];
    pairs[`${kind}: VNO count of days`] = [countsBy(days, perAgent), countsBy(await ofKind('agent_flow_day'), perAgent, 'row_count')];
    const onAgentDay = (row: Row) => [...get(row, 'agent_id'), dayOf(row)];
    pairs[`${kind}: VNO count of hours on days`] = [
      countsBy(hours, onAgentDay),
      countsBy(await ofKind('agent_flow_day'), onAgentDay, 'hour_row_count'),
    ];
    if (!isDpi) continue;
    const perApp = (row: Row) => get(row, 'agent_id', 'device_id', 'time', 'protocol_id');
    pairs[`${kind}: applications of devices`] = [sumsBy(days, perApp), sumsBy(await ofKind('dpi_device_day'), perApp)];
    const perAgentApp = (row: Row) => get(row, 'agent_id', 'time', 'protocol_id');
    pairs[`${kind}: applications of VNOs`] = [sumsBy(days, perAgentApp), sumsBy(await ofKind('dpi_agent_day'), perAgentApp)];
  }
  return pairs;
};
