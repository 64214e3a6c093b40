import { dayStart } from '@farlink/contract/kit/zone.ts';
import type { TrafficKindId } from '@farlink/contract/traffic/kinds.ts';
import { sql } from 'kysely';
import type { Db } from '../src/kit/deps.ts';

/** One hour of traffic, as the rollup job stores it. */
export interface TestHour {
  readonly kind: TrafficKindId;
  readonly time: number;
  readonly agent_id: number;
  readonly device_id: number;
  readonly up: number;
  readonly down: number;
  readonly account?: string;
  readonly subscriber_id?: number | null;
  readonly service?: string;
  readonly link?: string;
  readonly network?: 'unknown' | '6d' | 'l_band' | 'lte' | 'low_orbit';
  readonly protocol_id?: string;
  readonly sessions?: number;
  readonly seconds?: number;
  readonly peak?: number | null;
}

const tables = { flow_usr: 'business_flow', flow_mgt: 'manage_flow', dpi_usr: 'business_dpi', dpi_mgt: 'manage_dpi' } as const;

const columnsOf = (row: TestHour): Record<string, unknown> => {
  const common = { time: row.time, agent_id: row.agent_id, device_id: row.device_id, up_bytes: row.up, down_bytes: row.down };
  const user = { account: row.account ?? '', subscriber_id: row.subscriber_id ?? null };
  const flow = { link: row.link ?? '6d', network: row.network ?? '6d', seconds: row.seconds ?? 3600, peak_speed: row.peak ?? null };
  const dpi = { protocol_id: row.protocol_id ?? '0', session_count: row.sessions ?? null };
  return {
    flow_usr: { ...common, ...user, ...flow },
    flow_mgt: { ...common, service: row.service ?? 'mqtt', ...flow },
    dpi_usr: { ...common, ...user, ...dpi },
    dpi_mgt: { ...common, ...dpi },
  }[row.kind];
};

const insert = (db: Db, table: string, row: Record<string, unknown>) => {
  const names = Object.keys(row).map((name) => sql.ref(name));
  return sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(Object.values(row))})`.execute(db);
};

/** Stores hours and works the day and sum tables out of them by plain SQL. */
export const storeHours = async (db: Db, rows: readonly TestHour[]) => {
  for (const row of rows) await insert(db, `${tables[row.kind]}_hour`, columnsOf(row));
  const day = sql`(time + 28800) / 86400 * 86400 - 28800`;
  for (const table of ['business_flow', 'manage_flow', 'business_dpi', 'manage_dpi', 'flow_sum', 'agent_flow'])
    await sql`truncate ${sql.table(`${table}_day`)}`.execute(db);
  await sql`truncate flow_sum_hour, agent_flow_hour, dpi_device_day, dpi_agent_day`.execute(db);
  const keys = {
    business_flow: sql`account, subscriber_id, link, network`,
    manage_flow: sql`service, link, network`,
    business_dpi: sql`account, subscriber_id, protocol_id`,
    manage_dpi: sql`protocol_id`,
  };
  for (const [kind, table] of Object.entries(tables)) {
    const isDpi = kind.startsWith('dpi');
    const measures = isDpi ? sql`session_count` : sql`seconds, peak_speed`;
    const sums = isDpi ? sql`sum(session_count)` : sql`sum(seconds), max(peak_speed)`;
    const hours = sql.table(`${table}_hour`);
    await sql`insert into ${sql.table(`${table}_day`)} (time, agent_id, device_id, ${keys[table]}, ${measures}, up_bytes, down_bytes)
      select ${day}, agent_id, device_id, ${keys[table]}, ${sums}, sum(up_bytes), sum(down_bytes) from ${hours}
      group by ${day}, agent_id, device_id, ${keys[table]}`.execute(db);
    const network = isDpi ? sql`'unknown'` : sql`network`;
    for (const [suffix, time] of [
      ['hour', sql`time`],
      ['day', day],
    ] as const) {
      const ofDay = suffix === 'day' ? sql`, hour_row_count` : sql``;
      const rowCount = sql`(select count(*) from ${sql.table(`${table}_${suffix}`)} l where l.time = s.time and l.agent_id = s.agent_id
        and l.device_id = s.device_id and ${isDpi ? sql`true` : sql`l.network = s.network`})`;
      const sums = sql.table(`flow_sum_${suffix}`);
      await sql`insert into ${sums} (kind, time, agent_id, device_id, network, up_bytes, down_bytes${ofDay})
        select ${kind}, ${time}, agent_id, device_id, ${network}, sum(up_bytes), sum(down_bytes)${suffix === 'day' ? sql`, count(*)` : sql``}
        from ${hours} group by 2, 3, 4, 5`.execute(db);
      await sql`update ${sums} s set row_count = ${rowCount} where kind = ${kind}`.execute(db);
      await sql`insert into ${sql.table(`agent_flow_${suffix}`)} (kind, time, agent_id, up_bytes, down_bytes, row_count${ofDay})
        select kind, time, agent_id, sum(up_bytes), sum(down_bytes), sum(row_count)${suffix === 'day' ? sql`, sum(hour_row_count)` : sql``}
        from ${sums} where kind = ${kind} group by 1, 2, 3`.execute(db);
    }
    if (!isDpi) continue;
    await sql`insert into dpi_device_day (kind, time, agent_id, device_id, protocol_id, up_bytes, down_bytes, session_count)
      select ${kind}, ${day}, agent_id, device_id, protocol_id, sum(up_bytes), sum(down_bytes), sum(session_count) from ${hours}
      group by 2, 3, 4, 5`.execute(db);
    await sql`insert into dpi_agent_day (kind, time, agent_id, protocol_id, up_bytes, down_bytes, session_count)
      select ${kind}, ${day}, agent_id, protocol_id, sum(up_bytes), sum(down_bytes), sum(session_count) from ${hours} group by 2, 3, 4`.execute(
      db,
    );
  }
};

export const hoursAgo = (now: number, n: number) => Math.floor(now / 3600) * 3600 - n * 3600;
export const daysAgo = (now: number, n: number) => dayStart(now) - n * 86_400;
