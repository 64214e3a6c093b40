import { zoneSeconds } from '@farlink/contract/kit/zone.ts';
import type { TrafficKindId } from '@farlink/contract/traffic/kinds.ts';
import { bounded } from '../../db/bounded.ts';
import { type KindTables, kindTables, rolledKinds, shareSql, width } from './kinds.ts';

/** Longer reports have an index. */
const longS = 600;
const longestS = 86_400;

/** Parameters: devices, times; the first and the last time limit the partitions. */
const keys = `(select * from unnest($1::bigint[], $2::bigint[]) as k(device_id, time))`;
const within = (column: string) => `${column} >= $3::bigint and ${column} <= $4::bigint`;

/** Times of an hour with one owner each. The first later transfer names the owner before it. */
const owned = `
  select since, lead(since, 1, ${Number.MAX_SAFE_INTEGER}) over (order by since) as until from (
    select k.time as since union
    select t.finish_at from device_transfer t
    where t.device_id = k.device_id and t.state = 'done' and t.finish_at > k.time and t.finish_at < k.time + 3600
  ) change`;

/** Shares of reports in the hours that are due. Reads nothing but reports and `due`, so that workers can run it. */
const shareRows = ({ reports, names, measures }: KindTables, lookBackS: number, and: string) => `
  select f.device_id, due.hour, due.owner_now, due.owner,
    ${names.map(([column, value]) => `${value} as ${column}`).join(', ')}, ${measures.map(({ column, share }) => `${share} as ${column}`).join(', ')},
    ${shareSql('f.up_bytes')} as up_bytes, ${shareSql('f.down_bytes')} as down_bytes
  from due join ${reports} f on f.device_id = due.device_id and f.at > due.hour - ${lookBackS} and f.at < due.hour + 3600
  where ${and} and f.at > $3::bigint - ${lookBackS} and f.at < $4::bigint + 3600 and f.at + ${width} > due.hour
    and greatest(f.at, due.hour) >= due.since and greatest(f.at, due.hour) < due.until`;

/** Rows of hours from the reports. A share belongs to the VNO that owned the device when it began. */
const hourRows = (tables: KindTables) => {
  const { names, measures, hasAccount } = tables;
  const columns = names.map(([column]) => column);
  return `
  with due as materialized (
    select k.device_id, k.time as hour, coalesce(d.agent_id, n.agent_id) as owner_now, o.since, o.until, device_owner(k.device_id, o.since) as owner
    from ${keys} k left join device d on d.id = k.device_id left join nas n on n.id = -k.device_id cross join lateral (${owned}) o
  ), summed as materialized (
    select hour, owner, owner_now, device_id, ${columns.join(', ')}, ${measures.map(({ column, ofHour }) => `${ofHour(column)} as ${column}`).join(', ')},
      ${bounded('sum(up_bytes)')} as up_bytes, ${bounded('sum(down_bytes)')} as down_bytes
    from (${shareRows(tables, longS, `f.seconds <= ${longS}`)} union all ${shareRows(tables, longestS, `f.seconds > ${longS}`)}) share
    group by hour, owner, owner_now, device_id, ${columns.join(', ')} having sum(up_bytes) + sum(down_bytes) > 0
  )
  select g.hour, g.owner, g.device_id, ${[...columns, ...measures.map(({ column }) => column)].map((column) => `g.${column}`).join(', ')}, g.up_bytes, g.down_bytes${
    hasAccount
      ? `, s.id from summed g left join subscriber s on lower(s.account) = lower(g.account) and s.agent_id in (g.owner, g.owner_now) and s.create_at < g.hour + 3600`
      : ' from summed g'
  } order by g.device_id, g.hour`;
};

const columnsOf = ({ names, measures, hasAccount }: KindTables) => [
  ...names.map(([column]) => column),
  ...measures.map(({ column }) => column),
  'up_bytes',
  'down_bytes',
  ...(hasAccount ? ['subscriber_id'] : []),
];

const deleteRows = (table: string, and = 'true', returning = '') =>
  `delete from ${table} t using ${keys} k where t.device_id = k.device_id and t.time = k.time and ${within('t.time')} and ${and} ${returning}`;

/** Rows of days from the rows of their hours. */
const dayRows = (tables: KindTables) => {
  const groups = [...tables.names.map(([column]) => column), ...(tables.hasAccount ? ['subscriber_id'] : [])];
  const measures = tables.measures.map(({ ofDay }) => ofDay);
  const named = tables.names.map(([column]) => column);
  return `select k.time, t.agent_id, t.device_id, ${[...named, ...measures].join(', ')}, ${bounded('sum(up_bytes)')}, ${bounded('sum(down_bytes)')}${tables.hasAccount ? ', subscriber_id' : ''}
  from ${keys} k join ${tables.hour} t on t.device_id = k.device_id and t.time >= k.time and t.time < k.time + 86400
  where t.time >= $3::bigint and t.time < $4::bigint + 86400
  group by k.time, t.agent_id, t.device_id, ${groups.join(', ')} order by t.device_id, k.time`;
};

const network = ({ isDpi }: KindTables) => (isDpi ? `'unknown'` : 't.network');

const statementsOf = (kind: TrafficKindId) => {
  const tables = kindTables[kind];
  const { hour, day, isDpi } = tables;
  const ofKind = `t.kind = '${kind}'`;
  const insert = (table: string) => `insert into ${table} (time, agent_id, device_id, ${columnsOf(tables).join(', ')})`;
  const sums = (from: string, counts: string) => `
    select '${kind}', t.time, t.agent_id, t.device_id, ${network(tables)}, ${bounded('sum(t.up_bytes)')}, ${bounded('sum(t.down_bytes)')}, ${counts}
    from ${from} t join ${keys} k on t.device_id = k.device_id and t.time = k.time where ${within('t.time')}
    group by t.time, t.agent_id, t.device_id${isDpi ? '' : ', t.network'} order by t.device_id, t.time`;
  // Rows of the list by hour on a day, from the sums of its hours, which are filled before.
  const hourCount = `(select coalesce(sum(h.row_count), 0) from flow_sum_hour h where h.device_id = t.device_id and h.kind = '${kind}'
    and h.time >= t.time and h.time < t.time + 86400 and h.time >= $3::bigint and h.time < $4::bigint + 86400
    and h.agent_id = t.agent_id and h.network = ${network(tables)})`;
  const rowCounts = {
    flow_sum_hour: { names: 'row_count', values: 'count(*)' },
    flow_sum_day: { names: 'row_count, hour_row_count', values: `count(*), ${hourCount}` },
  };
  const bucket = (list: string, rows: string, sum: keyof typeof rowCounts) => ({
    clear: deleteRows(list),
    fill: `${insert(list)} ${rows}`,
    clearSums: deleteRows(sum, ofKind, 'returning t.agent_id, t.time'),
    fillSums: `insert into ${sum} (kind, time, agent_id, device_id, network, up_bytes, down_bytes, ${rowCounts[sum].names})
      ${sums(list, rowCounts[sum].values)} returning agent_id, time`,
  });
  return {
    hour: bucket(hour, hourRows(tables), 'flow_sum_hour'),
    day: bucket(day, dayRows(tables), 'flow_sum_day'),
    apps: isDpi && {
      clear: deleteRows('dpi_device_day', ofKind),
      fill: `insert into dpi_device_day (kind, time, agent_id, device_id, protocol_id, up_bytes, down_bytes, session_count)
        select '${kind}', t.time, t.agent_id, t.device_id, t.protocol_id, ${bounded('sum(t.up_bytes)')}, ${bounded('sum(t.down_bytes)')}, ${bounded('sum(t.session_count)')}
        from ${day} t join ${keys} k on t.device_id = k.device_id and t.time = k.time where ${within('t.time')}
        group by t.time, t.agent_id, t.device_id, t.protocol_id order by t.device_id, t.time`,
    },
  };
};
export type Bucket = ReturnType<typeof statementsOf>['hour'];

export const rollStatements = Object.fromEntries(rolledKinds.map((kind) => [kind, statementsOf(kind)]));

const summed = (column: string) => bounded(`sum(t.${column})`);

/** Sums of VNOs from the sums of devices. Parameters: VNOs, times, first and last time, kind. */
const agentSums = (target: string, source: string, { by, sums }: { readonly by: readonly string[]; readonly sums: readonly string[] }) => ({
  clear: `delete from ${target} t using unnest($1::bigint[], $2::bigint[]) as k(agent_id, time)
    where t.agent_id = k.agent_id and t.kind = $5 and t.time = k.time and ${within('t.time')}`,
  fill: `insert into ${target} (${['kind', 'time', 'agent_id', 'up_bytes', 'down_bytes', ...by, ...sums].join(', ')})
    select ${['$5', 't.time', 't.agent_id', ...['up_bytes', 'down_bytes'].map(summed), ...by, ...sums.map(summed)].join(', ')}
    from ${source} t join unnest($1::bigint[], $2::bigint[]) as k(agent_id, time) on t.agent_id = k.agent_id and t.time = k.time
    where t.kind = $5 and ${within('t.time')} group by ${['t.time', 't.agent_id', ...by].join(', ')} order by t.agent_id, t.time`,
});

export const agentStatements = {
  hour: agentSums('agent_flow_hour', 'flow_sum_hour', { by: [], sums: ['row_count'] }),
  day: agentSums('agent_flow_day', 'flow_sum_day', { by: [], sums: ['row_count', 'hour_row_count'] }),
  apps: agentSums('dpi_agent_day', 'dpi_device_day', { by: ['protocol_id'], sums: ['session_count'] }),
};

/** SQL of the first second of the UTC+8 day of a time. */
export const dayOfSql = (time: string) => `((${time} + ${zoneSeconds}) / 86400 * 86400 - ${zoneSeconds})`;
