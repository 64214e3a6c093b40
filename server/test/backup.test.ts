import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import { Client } from '@farlink/simulator/client.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { dataNames } from '../src/backup/data-files.ts';
import { makeBackup } from '../src/backup/make-backup.ts';
import { restoreBackup } from '../src/backup/restore-backup.ts';
import { type OpenDatabase, openDatabase } from '../src/db/connect.ts';
import { startEmbedded } from '../src/db/embedded.ts';
import { lockGroup, locks } from '../src/db/lock.ts';
import { recordFork } from '../src/domain/audit/fork.ts';
import { sealRound } from '../src/domain/audit/seal-job.ts';
import { inTransaction } from '../src/domain/audit/transaction.ts';
import { auditLedger } from '../src/domain/ledger/check-ledger.ts';
import { readConfig } from '../src/env/config.ts';
import { keyColumns, newKey } from '../src/orders/device-key.ts';
import { addAuditDevice, storeAuditRows, urlRows } from './audit.ts';
import { programEnv } from './program-env.ts';
import { type ServerProcess, startProcess } from './server-process.ts';
import { removeCluster } from './setup/clean-up.ts';
import { runs } from './soak.ts';
import { subscriberRow } from './subscriber.ts';

const root = mkdtempSync(join(tmpdir(), 'farlink-backup-'));
const first = join(root, 'first');
const second = join(root, 'second');
const online = join(root, 'online.tar.zst');
const keyFile = join(root, 'farlink.key');
const children = new Set<ChildProcess>();
const ports = { RADIUS_AUTH_PORT: '0', RADIUS_ACCT_PORT: '0', RADSEC_PORT: '0', REMOTE_SSH_PORT: '0', REMOTE_WEB_PORT: '0' };
/** Each test starts databases that write to disk. */
const slow = { timeout: 240_000, tags: 'all' };
const signal = new AbortController().signal;
const print = () => {};

const freePort = async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return address && typeof address === 'object' ? address.port : 0;
};

const start = async (folder: string, port: number): Promise<ServerProcess> => {
  const server = await startProcess(folder, { DEMO: 'off', MQTT_PORT: String(port), ...ports });
  server.child.removeAllListeners('exit');
  children.add(server.child);
  return server;
};

const stop = async ({ child }: ServerProcess) => {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  children.delete(child);
};

/** Runs `npm run backup` or `npm run restore` as an operator does. */
const command = async (name: 'backup' | 'restore', dataDir: string, ...args: string[]) => {
  const program = fileURLToPath(new URL(`../src/backup/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [program, ...args], { env: { ...programEnv, DATA_DIR: dataDir } });
  children.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  children.delete(child);
  return { code, output };
};

const connect = (folder: string) => openDatabase(readFileSync(join(folder, 'postgres', 'url'), 'utf8').trim(), { max: 2 });

const callerOf =
  ({ base, token }: ServerProcess) =>
  async (path: string, input: object) => {
    const headers = { 'content-type': 'application/json', authorization: token };
    const response = await fetch(`${base}/agt/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
    const { code, data }: { code: number; data: unknown } = JSON.parse(await response.text());
    if (code !== 0) throw new Error(`${path} answered ${code}`);
    return data;
  };

let users: number[];
let device: { sn: string; key: string; accounts: string[] };

const seed = async ({ db }: OpenDatabase) => {
  const key = newKey();
  const row = { agent_id: 1, name: 'Ship', sn: 'BACKUP1', create_at: 1, ...keyColumns(key) };
  const { id: device_id } = await db.insertInto('device').values(row).returning('id').executeTakeFirstOrThrow();
  const flow = {
    kind: 'online',
    package_type: 'flow',
    flow_capacity: 1,
    flow_unit: 'GB',
    price: '1.00',
    create_at: 1,
    update_at: 1,
  } as const;
  const pkg = { agent_id: 1, name: 'Crew', device_ids: [device_id], ...flow };
  const { id: package_id } = await db.insertInto('package').values(pkg).returning('id').executeTakeFirstOrThrow();
  const accounts = Array.from({ length: 5 }, (_, i) => `crew${i}`);
  const rows = accounts.map((account) => subscriberRow({ agent_id: 1, account, device_id }));
  users = (await db.insertInto('subscriber').values(rows).returning('id').execute()).map(({ id }) => id);
  const holdings = users.map((subscriber_id) => ({ subscriber_id, agent_id: 1, package_id, start_at: 1, create_at: 1 }));
  await db.insertInto('holding').values(holdings).execute();
  device = { sn: 'BACKUP1', key, accounts };
};

/** Repeats a step until it is stopped, and records each acknowledged step. */
const repeat = (step: (n: number) => Promise<unknown>) => {
  const acknowledged: { n: number; begun: number; ended: number }[] = [];
  let isStopped = false;
  const working = (async () => {
    for (let n = 1; !isStopped; n++) {
      const begun = Date.now();
      await step(n);
      acknowledged.push({ n, begun, ended: Date.now() });
    }
  })();
  return {
    acknowledged,
    stop: () => {
      isStopped = true;
      return working;
    },
  };
};

const charged = ({ db }: OpenDatabase) =>
  sql<{ waiting: number; charged: number; reported: number }>`
    select (select count(*) from usage)::int as waiting,
      (select coalesce(sum(used_flow), 0) from holding)::bigint + (select coalesce(sum(overrun_bytes), 0) from meter)::bigint as charged,
      (select coalesce(sum(up_bytes + down_bytes), 0) from user_flow)::bigint as reported`.execute(db);

/** Number of rows of each table and each partition. */
/** Unlogged tables are empty after a restore. */
const rowCounts = async ({ pool }: OpenDatabase) => {
  const { rows } = await pool.query<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relkind = 'r' and relpersistence = 'p' and relnamespace = 'public'::regnamespace order by 1",
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows) counts[name] = (await pool.query<{ n: number }>(`select count(*)::int as n from ${name}`)).rows[0]?.n ?? -1;
  return counts;
};

const withDatabase = async <T>(folder: string, use: (database: OpenDatabase) => Promise<T>): Promise<T> => {
  const embedded = await startEmbedded(folder, { fsync: false });
  const database = await openDatabase(embedded.url, { max: 3 });
  try {
    return await use(database);
  } finally {
    await database.close();
    await embedded.stop();
  }
};

let began: number;
let ended: number;
let recharges: { n: number; begun: number; ended: number }[];
let reports: { n: number; begun: number; ended: number }[];
const bytes = 10_000;

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of [first, second]) if (existsSync(folder)) await removeCluster(folder);
  rmSync(root, { recursive: true, force: true });
});

test('a backup can be made while gateways report, payments are booked and files are written', slow, async () => {
  mkdirSync(first);
  const port = await freePort();
  const server = await start(first, port);
  const database = await connect(first);
  await seed(database);
  const call = callerOf(server);
  await call('user/export/all', { format: 'csv' });
  const exported = () => database.db.selectFrom('export_task').select('id').where('state', '=', 1).execute();
  await expect.poll(exported).toHaveLength(1);

  const gateway = new Client({ host: '127.0.0.1', port, clientId: device.sn, username: device.sn, password: device.key });
  await gateway.connect();
  const reporting = repeat((seq) => {
    const t0 = Math.floor(Date.now() / 1000) - 60;
    const v = device.accounts.map((account) => [account, 1000, bytes - 1000, 60]);
    return gateway.publish(upTopic(device.sn, 't/user'), JSON.stringify({ b: 'backup01', seq, t0, dt: 60, c: ['acc', 'u', 'd', 's'], v }));
  });
  const paying = repeat((n) => {
    const payment = { kind: 'amount', amount: '1.00', pay_method: 'cash', remark: `recharge-${n}` };
    return call('user/recharge', { ids: [users[n % users.length]], ...payment });
  });
  const exporting = repeat(async (n) => {
    await call('user/export/all', { format: 'csv' });
    await expect.poll(exported, { interval: 20 }).toHaveLength(n + 1);
  });
  const reached = () => Math.min(reporting.acknowledged.length, paying.acknowledged.length);
  const enough = runs(500, 25);
  await expect.poll(reached).toBeGreaterThan(enough);
  began = Date.now();
  const made = await command('backup', first, online, '--key', keyFile);
  ended = Date.now();
  const after = reached();
  await expect.poll(reached).toBeGreaterThan(after + enough);
  await Promise.all([reporting.stop(), paying.stop(), exporting.stop()]);
  [recharges, reports] = [paying.acknowledged, reporting.acknowledged];
  gateway.destroy();
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining('Backup written and verified') });
  const rows = await database.db.selectFrom('system_backup').selectAll().execute();
  expect(rows).toMatchObject([{ result: 'done', bytes: statSync(online).size, file_name: online, error: null }]);
  await database.close();
  await stop(server);
});

test('an archive made under load is restored into an empty folder: complete, balanced, with its files', slow, async () => {
  const { code, output } = await command('restore', second, online, '--key', keyFile);
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('has the state of') });
  // The login with the old password shows that key and data match.
  const server = await start(second, await freePort());
  const database = await connect(second);
  const { db } = database;
  expect(await auditLedger(db)).toEqual([]);

  const remarks = new Set((await db.selectFrom('ledger_entry').select('remark').execute()).map(({ remark }) => remark));
  const isRestored = ({ n }: { n: number }) => remarks.has(`recharge-${n}`);
  expect(recharges.filter((one) => one.ended < began && !isRestored(one))).toEqual([]);
  expect(recharges.filter((one) => one.begun > ended && isRestored(one))).toEqual([]);

  await expect.poll(async () => (await charged(database)).rows[0]?.waiting).toBe(0);
  const [usage] = (await charged(database)).rows;
  expect(usage?.charged).toBe(usage?.reported);
  const stored = (usage?.reported ?? 0) / (bytes * device.accounts.length);
  expect(stored).toBeGreaterThanOrEqual(reports.filter((one) => one.ended < began).length);
  expect(stored).toBeLessThanOrEqual(reports.filter((one) => one.begun < ended).length);

  const tasks = await db.selectFrom('export_task').select(['file_key', 'file_size']).where('state', '=', 1).execute();
  expect(tasks.length).toBeGreaterThan(0);
  for (const { file_key, file_size } of tasks) expect(statSync(join(second, 'files', file_key ?? '')).size).toBe(file_size);

  // The restored installation accepts payments, and has a record of the backup that it comes from.
  await callerOf(server)('user/recharge', { ids: [users[0]], kind: 'amount', amount: '1.00', pay_method: 'cash', remark: 'later' });
  expect(await auditLedger(db)).toEqual([]);
  expect(await db.selectFrom('system_backup').select(['result', 'bytes']).execute()).toEqual([
    { result: 'done', bytes: statSync(online).size },
  ]);
  await database.close();
  await stop(server);
});

test('each file in DATA_DIR is known as part of the archive or as created again', { tags: 'all' }, () => {
  const known: readonly string[] = [...dataNames.kept, ...dataNames.made];
  expect(readdirSync(first).filter((name) => !known.includes(name) && !name.startsWith('native-'))).toEqual([]);
});

const filesOf = (folder: string) =>
  readdirSync(join(folder, 'files'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();

/** A second backup is refused, and an interrupted one leaves no file and a reason. */
const refuseTwoAtOnce = async ({ pool, db }: OpenDatabase) => {
  const options = { dataDir: first, target: join(root, 'never.tar.zst'), hasFiles: true, print };
  const other = await pool.connect();
  await other.query('select pg_advisory_lock($1, $2)', [lockGroup, locks.systemBackup]);
  await expect(makeBackup({ ...options, signal })).rejects.toThrow('Another backup of this installation is running.');
  other.release(true);
  await expect(makeBackup({ ...options, signal: AbortSignal.abort() })).rejects.toThrow('The backup was interrupted.');
  expect(readdirSync(root).filter((name) => name.startsWith('never'))).toEqual([]);
  const rows = await db.selectFrom('system_backup').select(['result', 'error']).orderBy('id', 'desc').limit(1).execute();
  expect(rows).toEqual([{ result: 'failed', error: 'The backup was interrupted.' }]);
};

test('a stopped server is restored to the rows of the backup; sealing of audit data stops until the fork is recorded', slow, async () => {
  const config = readConfig({ DATA_DIR: first });
  let now = Math.floor(Date.now() / 1000);
  const depsOf = (database: OpenDatabase) => ({
    ...database,
    config,
    clock: { now: () => now },
    log: pino({ level: 'silent' }),
    remote: undefined,
  });
  const sealSome = async (database: OpenDatabase, device_id: number) => {
    await storeAuditRows(depsOf(database), device_id, 'a_url', urlRows(2, now));
    now += 60;
    return sealRound(depsOf(database));
  };
  const { audited, counts } = await withDatabase(first, async (database) => {
    const id = await addAuditDevice(depsOf(database), 1, 'AUDIT1');
    await sealSome(database, id);
    await refuseTwoAtOnce(database);
    return { audited: id, counts: await rowCounts(database) };
  });
  const files = filesOf(first);
  const { file } = await makeBackup({ dataDir: first, target: root, hasFiles: true, signal, print });
  expect(file).toMatch(/farlink-\d{8}T\d{6}Z\.tar\.zst$/);
  const newest = await withDatabase(first, (database) => sealSome(database, audited));
  expect(newest.stopped).toBeNull();

  const options = { dataDir: first, file, signal, print, fsync: false };
  await expect(restoreBackup({ ...options, replace: false })).rejects.toThrow(/is not empty \(it contains [\w.-]+\)/);
  const { previous } = await restoreBackup({ ...options, replace: true });
  expect(readdirSync(previous ?? '')).toEqual(expect.arrayContaining(['files', 'postgres']));
  expect(filesOf(first)).toEqual(files);
  await withDatabase(first, async (database) => {
    expect(await rowCounts(database)).toEqual({ ...counts, system_backup: (counts.system_backup ?? 0) + 1 });
    const stopped = await sealSome(database, audited);
    expect(stopped).toMatchObject({ stopped: 'shorter', size: newest.size - 1 });
    await inTransaction(database.pool, 'begin', (query) => recordFork(query, config.secretKey, 'restored after a disk failure', now));
    const resumed = await sealSome(database, audited);
    expect(resumed.stopped).toBeNull();
    expect(resumed.size).toBeGreaterThan(newest.size);
  });
});
