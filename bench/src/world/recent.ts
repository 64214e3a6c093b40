import { Pool } from 'pg';
import { makePartitions, weekS } from '../../../server/src/db/partitions.ts';
import { systemClock } from '../../../server/src/kit/clock.ts';
import { fillHours } from '../traffic-pages/fill.ts';
import { withoutIndexes } from '../without-indexes.ts';
import type { WorldSize } from './tables.ts';

const makeWeeks = async (pool: Pool, from: number, to: number) => {
  for (let week = Math.floor(from / weekS); week * weekS <= to; week++) {
    const name = `audit_url_w${week}`;
    const { rowCount } = await pool.query('select from pg_class where relname = $1', [name]);
    if (rowCount === 0)
      await pool.query(`create table ${name} partition of audit_url for values from (${week * weekS}) to (${(week + 1) * weekS})`);
  }
};

/** Traffic of some gateways: 28 rows an hour each. */
const traffic = ({ devices }: WorldSize) => ({ gateways: Math.min(200, devices / 10), days: 7 });
const auditDays = 28;

/** Visited sites of the last weeks, one for each subscriber. */
const visits = `
  insert into audit_url (stored_at, batch, n, device_id, agent_id, subscriber_id, at, account, ip, mac, host, url, title, category, server_ip, server_port)
  select t, md5((g / 25)::text)::uuid, g % 25, s.device_id, s.agent_id, s.id, t, s.account, '192.168.10.' || g % 250, '02:00:00:00:00:' || lpad(to_hex(g % 256), 2, '0'),
    'www' || g % 5000 || '.example.com', null, null, 'c' || g % 40, '198.51.100.4', 443
  from (select *, row_number() over (order by id) as g, count(*) over () as rows from subscriber) s,
    lateral (select $1::bigint - ${auditDays * 86_400} + g * ${auditDays * 86_400 - 1} / rows as t) x order by t`;

const sites = `
  insert into danger_site (domain, ascii, kind, status, hit_count, creator, create_at, update_at)
  select d, d, (array['gambling', 'fraud', 'porn', 'malware', 'other'])[1 + g % 5], case when g % 10 = 0 then 0 else 1 end, g % 1000, 'admin', $1::bigint - g, $1::bigint
  from generate_series(1, 50000) g, lateral (select 'site' || md5(g::text) || '.example' as d) x`;

/** Half of them are for all VNOs below the publisher. */
const notices = `
  insert into notice (agent_id, title, content, target, vno_ids, status, send_at, publisher, expire_at, create_at, update_at)
  select a.id, '公告 ' || n, repeat('内容 ', 50), 'vno', case when n % 2 = 0 then array[a.id] end, 1, $1::bigint - n * 3600, 'admin', $1::bigint + 864000, $1::bigint - n * 3600, $1::bigint
  from agent a, generate_series(1, 2) n where a.id <= 1001`;

const accesses = `
  insert into audit_look (agent_id, customer_id, username, name, page, action, condition_zh, condition_en, filter_hash, reason, row_count, look_count, ip, slot, create_at)
  select c.agent_id, c.id, c.username, c.name, 'networkURL', 'list', '账号 = u' || n, 'account = u' || n, md5(n::text), 'Bench', 20, 1, '10.0.0.1', $1::bigint / 600 - n, $1::bigint - n * 600
  from customer c, generate_series(1, 10) n`;

/** True if the data set has the rows of this file. */
export const hasRecent = async (url: string): Promise<boolean> => {
  const pool = new Pool({ connectionString: url, max: 1 });
  const { rowCount: tables } = await pool.query(`select from pg_class where relname = 'audit_url'`);
  const rowCount = tables === 1 ? (await pool.query('select from audit_url limit 1')).rowCount : 0;
  await pool.end();
  return rowCount === 1;
};

/** The statements of the traffic bench use all devices; here they see some of them through a view of the same name. */
const fillTraffic = async (pool: Pool, size: WorldSize, now: number) => {
  await pool.query('create schema bench_view');
  await pool.query(`create view bench_view.device as select * from public.device order by id limit ${traffic(size).gateways}`);
  await pool.query('set search_path = bench_view, public');
  await fillHours(pool, traffic(size), now);
  await pool.query('set search_path = public');
  await pool.query('drop schema bench_view cascade');
};

/** Rows of the pages that show recent data: traffic, audit, dangerous websites, notices. They end now, because these lists show the last days. */
export const fillRecent = async (url: string, size: WorldSize, printLine: (line: string) => void) => {
  const pool = new Pool({ connectionString: url, max: 1 });
  // A failed step ends the database before the pool.
  pool.on('error', () => {});
  const now = systemClock.now();
  const step = async (name: string, fill: () => Promise<unknown>) => {
    const start = performance.now();
    await fill();
    printLine(`${name.padEnd(20)} ${((performance.now() - start) / 1000).toFixed(1)} s`);
  };
  try {
    await pool.query(`set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '256MB'`);
    await pool.query('set session_replication_role = replica');
    await makePartitions(pool, now);
    await step('traffic', () => fillTraffic(pool, size, now));
    await step('danger_site', () => pool.query(sites, [now]));
    await step('notice', () => pool.query(notices, [now]));
    await step('audit_look', () => pool.query(accesses, [now]));
    await makeWeeks(pool, now - auditDays * 86_400, now);
    await step('audit_url', () => withoutIndexes(pool, ['audit_url'], async () => void (await pool.query(visits, [now]))));
    await step('vacuum', () => pool.query('vacuum analyze'));
  } finally {
    await pool.end();
  }
};
