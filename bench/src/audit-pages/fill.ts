import type { Pool } from 'pg';
import { weekS } from '../../../server/src/db/partitions.ts';
import { withoutIndexes } from '../without-indexes.ts';
import { largeVno } from '../world/tables.ts';

export const days = 84;
const vnos = 10;
const rowsOfDevice = 10_000;
const rowsOfAccount = 500;

export const devicesOf = (rows: number) => Math.max(10, Math.floor(rows / rowsOfDevice));
export const accountsOf = (rows: number) => Math.max(100, Math.floor(rows / rowsOfAccount));
export const macOf = (n: number) =>
  `02:00:${(n + 0x1_0000_0000)
    .toString(16)
    .slice(1)
    .replace(/(..)(..)(..)(..)/, '$1:$2:$3:$4')}`;
const macSql = `'02:00:' || regexp_replace(lpad(to_hex(s.account), 8, '0'), '(..)(..)(..)(..)', '\\1:\\2:\\3:\\4')`;

export const makeWeeks = async (pool: Pool, from: number, to: number) => {
  for (let week = Math.floor(from / weekS); week * weekS <= to; week++) {
    const name = `audit_url_w${week}`;
    const { rowCount } = await pool.query('select from pg_class where relname = $1', [name]);
    if (rowCount === 0)
      await pool.query(`create table ${name} partition of audit_url for values from (${week * weekS}) to (${(week + 1) * weekS})`);
  }
};

/** Visits of 84 days in the order of their time. A larger table has more devices and accounts, each with as many rows. */
export const fillVisits = async (pool: Pool, rows: number, now: number) => {
  const start = now - days * 86_400;
  await pool.query(
    `insert into agent (parent_id, path, agent_level, name, code, role_id, agent_mode, create_at, update_at)
      select 1, '/1/' || g || '/', 1, 'Bench ' || g, 'BENCH' || g, a.role_id, 3, 1, 1
      from generate_series($1::int + 1, $1::int + ${vnos}) g, agent a where a.id = $1::int`,
    [largeVno.id],
  );
  await pool.query(
    `insert into device (agent_id, name, sn, create_at)
      select case g % 3 when 0 then $1::int else $1::int + 1 + g % ${vnos} end, 'Ship ' || g, 'BENCH' || g, 1 from generate_series(1, $2::int) g`,
    [largeVno.id, devicesOf(rows)],
  );
  await makeWeeks(pool, start, now);
  const chunk = 1_000_000;
  await withoutIndexes(pool, ['audit_url'], async () => {
    for (let first = 0; first < rows; first += chunk)
      await pool.query(
        `insert into audit_url (stored_at, batch, n, device_id, agent_id, at, account, ip, mac, host, url, title, category, server_ip, server_port)
          select s.t, md5((g / 25)::text)::uuid, g % 25, d.id, d.agent_id, s.t, 'u' || s.account, '192.168.10.' || g % 250, ${macSql},
            'www' || s.account % 5000 || '.example.com', case g % 5 when 0 then 'http://www.example.com/path/' || g end, null, 'c' || g % 40, '198.51.100.4', 443
          from generate_series($1::bigint, $2::bigint - 1) g,
            lateral (select $3::bigint + g * ${days * 86_400} / $4::bigint as t, (hashint8(g) & 2147483647) % $5::int as account) s
            join device d on d.sn = 'BENCH' || 1 + s.account % $6::int`,
        [first, Math.min(first + chunk, rows), start, rows, accountsOf(rows), devicesOf(rows)],
      );
  });
  await pool.query('vacuum analyze audit_url');
  await pool.query('vacuum analyze device');
};
