import { dayStart } from '@farlink/contract/kit/zone.ts';
import type { Pool } from 'pg';
import { makePartitions, reportTables, trafficTables } from '../../../server/src/db/partitions.ts';
import { kindTables, rolledKinds } from '../../../server/src/domain/traffic/kinds.ts';
import { dayOfSql } from '../../../server/src/domain/traffic/roll-sql.ts';
import { withoutIndexes } from '../without-indexes.ts';
import { largeVno } from '../world/tables.ts';

const day = 86_400;
const vnos = 10;
const users = 5;
const apps = 4;
const services = 2;

export interface Size {
  readonly gateways: number;
  readonly days: number;
}

/** The filled hours. A data set that is kept ends on an earlier day. */
export const filledRange = async (pool: Pool) => {
  const { rows } = await pool.query<{ first: string; last: string }>('select min(time) as first, max(time) as last from agent_flow_hour');
  return { start: Number(rows[0]?.first), end: Number(rows[0]?.last) + 3599 };
};

/** Hours are whole days that end before today. */
const rangeOf = ({ days }: Size, now: number) => ({ start: dayStart(now) - days * day, end: dayStart(now) - 1 });

/** Rows of an hour of a gateway: one report for each account and application, account, service, and own application. */
export const rowsOfHour = users * apps + users + services + 1;

/** A third of the gateways belongs to the large VNO, the others to its siblings. */
const owners = `insert into agent (parent_id, path, agent_level, name, code, role_id, agent_mode, create_at, update_at)
  select 1, '/1/' || g || '/', 1, 'Bench ' || g, 'BENCH' || g, a.role_id, 3, 1, 1 from generate_series($1::int + 1, $1::int + ${vnos}) g, agent a where a.id = $1::int`;
const devices = `insert into device (agent_id, name, sn, create_at)
  select case g % 3 when 0 then $1::int else $1::int + 1 + g % ${vnos} end, 'Ship ' || g, 'BENCH' || g, 1 from generate_series(1, $2::int) g`;

const hash = (salt: number) => `(hashint8(d.id * 31 + h.at * 7 + n * ${salt})::bigint & 268435455)`;
const bytes = `${hash(3)} / 100, ${hash(5)}`;
const of = (count: number) =>
  `device d, generate_series($1::bigint, $2::bigint - 1, 3600) as h(at), generate_series(0, ${count - 1}) n order by h.at, d.id`;

const reports: readonly string[] = [
  `insert into app_flow (device_id, at, seconds, app, account, up_bytes, down_bytes, sessions)
    select d.id, h.at, 3600, '91.' || 100 + (d.id + n) % 23, 'u' || d.id || 'x' || n % ${users}, ${bytes}, 3 from ${of(users * apps)}`,
  `insert into user_flow (device_id, at, seconds, account, link, up_bytes, down_bytes, peak)
    select d.id, h.at, 3600, 'u' || d.id || 'x' || n, (array['6d', 'lte', 'l_band'])[1 + (d.id + n) % 3], ${bytes}, 90 from ${of(users)}`,
  `insert into own_flow (device_id, at, seconds, service, link, up_bytes, down_bytes, peak)
    select d.id, h.at, 3600, (array['mqtt', 'ntp'])[1 + n], '6d', ${bytes}, 9 from ${of(services)}`,
  `insert into own_app_flow (device_id, at, seconds, app, link, up_bytes, down_bytes, sessions)
    select d.id, h.at, 3600, '91.222', '6d', ${bytes}, 1 from ${of(1)}`,
];

/** Each report is one row of its hour, so the hours are the reports with their VNO. */
const hourSql = (kind: (typeof rolledKinds)[number]) => {
  const { reports: from, hour, names, isDpi } = kindTables[kind];
  const measures = isDpi ? 'session_count' : 'seconds, peak_speed';
  return `insert into ${hour} (time, agent_id, device_id, ${names.map(([column]) => column).join(', ')}, ${measures}, up_bytes, down_bytes)
    select f.at, d.agent_id, f.device_id, ${names.map(([, value]) => value).join(', ')}, ${isDpi ? 'f.sessions' : 'f.seconds, f.peak'}, f.up_bytes, f.down_bytes
    from ${from} f join device d on d.id = f.device_id where f.at >= $1::bigint and f.at < $2::bigint order by f.at, f.device_id`;
};

const sumSql = (kind: (typeof rolledKinds)[number]): readonly string[] => {
  const { hour, day: days, names, isDpi } = kindTables[kind];
  const network = isDpi ? `'unknown'` : 'network';
  const columns = names.map(([column]) => column).join(', ');
  const [measures, sums] = isDpi ? ['session_count', 'sum(session_count)'] : ['seconds, peak_speed', 'sum(seconds), max(peak_speed)'];
  const within = 'where time >= $1::bigint and time < $2::bigint';
  const ofKind = `from flow_sum_hour ${within} and kind = '${kind}'`;
  const appColumns = '(kind, time, agent_id, device_id, protocol_id, up_bytes, down_bytes, session_count)';
  const always = [
    `insert into ${days} (time, agent_id, device_id, ${columns}, ${measures}, up_bytes, down_bytes)
      select ${dayOfSql('time')}, agent_id, device_id, ${columns}, ${sums}, sum(up_bytes), sum(down_bytes) from ${hour} ${within} group by 1, 2, 3, ${columns}`,
    `insert into flow_sum_hour (kind, time, agent_id, device_id, network, up_bytes, down_bytes, row_count)
      select '${kind}', time, agent_id, device_id, ${network}, sum(up_bytes), sum(down_bytes), count(*) from ${hour} ${within} group by 2, 3, 4, 5`,
    `insert into flow_sum_day (kind, time, agent_id, device_id, network, up_bytes, down_bytes, row_count, hour_row_count)
      select '${kind}', s.time, s.agent_id, s.device_id, s.network, s.up, s.down, l.n, s.n from (
        select ${dayOfSql('time')} as time, agent_id, device_id, network, sum(up_bytes) as up, sum(down_bytes) as down, sum(row_count) as n ${ofKind} group by 1, 2, 3, 4) s
      join (select time, agent_id, device_id, ${network} as network, count(*) as n from ${days} ${within} group by 1, 2, 3, 4) l using (time, agent_id, device_id, network)`,
    `insert into agent_flow_hour (kind, time, agent_id, up_bytes, down_bytes, row_count)
      select kind, time, agent_id, sum(up_bytes), sum(down_bytes), sum(row_count) ${ofKind} group by 1, 2, 3`,
    `insert into agent_flow_day (kind, time, agent_id, up_bytes, down_bytes, row_count, hour_row_count)
      select kind, time, agent_id, sum(up_bytes), sum(down_bytes), sum(row_count), sum(hour_row_count) from flow_sum_day ${within} and kind = '${kind}' group by 1, 2, 3`,
  ];
  if (!isDpi) return always;
  return [
    ...always,
    `insert into dpi_device_day ${appColumns} select '${kind}', time, agent_id, device_id, protocol_id, sum(up_bytes), sum(down_bytes), sum(session_count)
      from ${days} ${within} group by 2, 3, 4, 5`,
    `insert into dpi_agent_day (kind, time, agent_id, protocol_id, up_bytes, down_bytes, session_count)
      select kind, time, agent_id, protocol_id, sum(up_bytes), sum(down_bytes), sum(session_count) from dpi_device_day ${within} and kind = '${kind}' group by 1, 2, 3, 4`,
  ];
};

/** Reports of all hours, and the hours, days and sums that the rollup would make of them. Returns the number of reported rows. */
export const fillTraffic = async (pool: Pool, size: Size, now: number): Promise<number> => {
  await makePartitions(pool, now);
  await pool.query(owners, [largeVno.id]);
  await pool.query(devices, [largeVno.id, size.gateways]);
  await fillHours(pool, size, now);
  return size.gateways * size.days * 24 * rowsOfHour;
};

/** Reports, hours, days and sums of the existing devices. The partitions exist. */
export const fillHours = async (pool: Pool, size: Size, now: number) => {
  const { start, end } = rangeOf(size, now);
  const lists = rolledKinds.flatMap((kind) => [kindTables[kind].hour, kindTables[kind].day]);
  await withoutIndexes(pool, [...reportTables, ...lists], async () => {
    for (let from = start; from < end; from += 7 * day) {
      const week = [from, Math.min(from + 7 * day, end + 1)];
      for (const sql of reports) await pool.query(sql, week);
      for (const kind of rolledKinds) await pool.query(hourSql(kind), week);
      for (const kind of rolledKinds) for (const sql of sumSql(kind)) await pool.query(sql, week);
    }
  });
  await pool.query('update traffic_state set as_of = $1', [now]);
  await pool.query('delete from traffic_dirty');
  for (const table of [...reportTables, ...trafficTables, 'device']) await pool.query(`vacuum analyze ${table}`);
  const { rows } = await pool.query<{ raw: string; listed: string; sums: string }>(`
    select (select sum(up_bytes + down_bytes) from app_flow) as raw, (select sum(total_bytes) from business_dpi_hour) as listed,
      (select sum(up_bytes + down_bytes) from agent_flow_day where kind = 'dpi_usr') as sums`);
  const [found] = rows;
  if (!found || found.raw !== found.listed || found.raw !== found.sums) throw new Error(`the sums differ: ${JSON.stringify(found)}`);
};
