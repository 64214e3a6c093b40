/** @module-tag all */
import type { RawBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isScan, planOf, rowsRead } from '../../../test/query-plan.ts';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { runs } from '../../../test/soak.ts';
import type { SessionInfo } from '../../db/column-types.ts';
import { makePartitions } from '../../db/partitions.ts';
import { views } from './page-views.ts';
import { conditionsOf, storedSearch } from './search-conditions.ts';

/** Query plans of the lists on many rows: the first page is read from an index with any filter. */

const count = runs(100_000, 30_000);
let service: ServiceDeps;
const day = 86_400;

beforeAll(async () => {
  service = await serviceDeps();
  const { pool } = service.deps;
  const now = service.clock.now();
  await makePartitions(pool, now);
  const common = `(stored_at, batch, n, device_id, agent_id, at, account, ip, mac`;
  const values = `s.t, gen_random_uuid(), 0, g % 500, g % 50, s.t, 'User' || g % 5000, '10.0.' || g % 250 || '.' || g % 240, 'aa:bb:cc:00:' || lpad(to_hex(g % 250), 2, '0') || ':' || lpad(to_hex(g % 240), 2, '0')`;
  const from = `from generate_series(1, ${count}) g, lateral (select ${now} - (g::bigint * ${6 * day} / ${count}) as t) s`;
  await pool.query(
    `insert into audit_url ${common}, host, category) select ${values}, 'h' || g % 2000 || '.example', 'c' || g % 40 ${from}`,
  );
  await pool.query(
    `insert into audit_auth ${common}, auth_action, login_at, name_index, phone_index) select ${values}, 'login', s.t, g % 5000, g % 5001 ${from}`,
  );
  await pool.query(
    `insert into audit_mail ${common}, direction, size, sender_index, receiver_index, subject_index)
      select ${values}, 'send', g, g % 5000, array[g % 5000, g % 4999]::bigint[], g % 9000 ${from}`,
  );
  await pool.query(
    `insert into audit_terminal_state (device_id, mac, agent_id, account, terminal_os, ssid, first_at, last_at)
      select g % 500, 'm' || g, g % 50, 'User' || g % 5000, 'other', 's' || g % 5000, s.t, s.t ${from}`,
  );
  for (const table of ['audit_url', 'audit_auth', 'audit_mail', 'audit_terminal_state']) await pool.query(`vacuum analyze ${table}`);
}, 120_000);
afterAll(() => service.close());

type Page = 'networkURL' | 'authAccount' | 'electronicMail' | 'terminalAcquisition';

/** Plan of the ids of the first page. */
const firstPage = async (
  page: Page,
  filters: Record<string, string>,
  order: string,
  more: RawBuilder<SqlBool> = sql<SqlBool>`true`,
  me: SessionInfo = service.me,
) => {
  const { db, config } = service.deps;
  const { rows, search } = views[page];
  const stored = storedSearch(search, filters, config.secretKey, service.clock.now());
  const { where } = conditionsOf(search, stored, config.secretKey);
  const start = Number(stored.filters[`${search.time}_start`]);
  const query = rows(db, me, sql<SqlBool>`${where} and ${more}`);
  const found = sql`select t.id from ${query} as t where ${sql.ref(`t.${search.time}`)} >= ${start} order by ${sql.raw(order)} limit 10`;
  return planOf(db, found);
};

/** Rows that the database reads for the first page. */
const touched = async (page: Page, filters: Record<string, string>, order: string, more?: RawBuilder<SqlBool>) => {
  const nodes = await firstPage(page, filters, order, more);
  // An empty partition may be scanned.
  const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && rowsRead(node) > 0);
  expect(whole, `${page} ${JSON.stringify(filters)}`).toEqual([]);
  return Math.max(...nodes.map(rowsRead));
};

const newest = 't.create_at desc, t.id desc';

it.each([
  ['networkURL', {}],
  ['networkURL', { account: 'user77' }],
  ['networkURL', { mac: 'aa:bb:cc:00:4d:4d' }],
  ['networkURL', { ip: '10.0.77.77' }],
  ['networkURL', { host: 'h77.example' }],
  ['networkURL', { url: 'http://h77.example/a' }],
  ['networkURL', { category: 'c7' }],
  ['authAccount', { account: 'user4999' }],
  ['authAccount', { name: 'x', phone: '1' }],
  ['electronicMail', { sender: 'a@b.cn' }],
  ['electronicMail', { receiver: 'a@b.cn' }],
  ['electronicMail', { subject: 'a' }],
] as const)('the first page of %s filtered by %j reads at most 500 rows', async (page, filters) => {
  expect(await touched(page, filters, newest)).toBeLessThanOrEqual(500);
});

it.each([
  ['networkURL', 't.account_key asc, t.create_at desc, t.id desc'],
  ['networkURL', 't.host desc, t.create_at asc, t.id asc'],
  ['authAccount', 't.login_at desc, t.id desc'],
  ['authAccount', 't.logout_at asc, t.id asc'],
  ['electronicMail', 't.size desc, t.id desc'],
  ['terminalAcquisition', 't.last_at desc, t.id desc'],
  ['terminalAcquisition', 't.mac asc, t.create_at desc, t.id desc'],
  ['terminalAcquisition', 't.first_at asc, t.id asc'],
] as const)('the first page of %s ordered by %s reads at most 500 rows', async (page, order) => {
  expect(await touched(page, {}, order)).toBeLessThanOrEqual(500);
});

it.each([
  ['a device', sql<SqlBool>`a.device_id = 77`],
  ['a VNO', sql<SqlBool>`a.agent_id = 7`],
] as const)('the first page for %s reads at most 500 rows', async (_, more) => {
  expect(await touched('networkURL', {}, newest, more)).toBeLessThanOrEqual(500);
});

it.each([
  ['newest', {}, sql<SqlBool>`true`],
  ['a device', {}, sql<SqlBool>`a.device_id = 77`],
  ['a host', { host: 'h77.example' }, sql<SqlBool>`true`],
  ['a category', { category: 'c7' }, sql<SqlBool>`true`],
] as const)('the first page for a VNO with children (%s) uses index-only scans without heap fetches', async (_, filters, more) => {
  const branch = Array.from({ length: 20 }, (_, n) => 20 + n);
  const me = { ...service.me, agent_level: 1, branch };
  const nodes = await firstPage('networkURL', filters, newest, more, me);
  const used = nodes.filter((node) => isScan(node) && node['Actual Rows'] > 0);
  expect(used.length).toBeGreaterThan(0);
  for (const node of used) expect([node['Node Type'], node['Heap Fetches']]).toEqual(['Index Only Scan', 0]);
});
