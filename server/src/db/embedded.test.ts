import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Embedded, type EmbeddedOptions, startEmbedded } from './embedded.ts';
import { isPostgres, pidFile, readPostmaster } from './postmaster.ts';

/** Most tests share one folder: each starts and ends with the database stopped. */
let folder: string;
let started: Embedded[];
let children: ChildProcess[];
let temporaries: string[];

const temporary = () => {
  const made = mkdtempSync(join(tmpdir(), 'farlink-embedded-'));
  temporaries.push(made);
  return made;
};

beforeAll(async () => {
  temporaries = [];
  folder = temporary();
  await (await startEmbedded(folder, { fsync: false })).stop();
});

beforeEach(() => {
  started = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(started.map((e) => e.stop()));
});

afterAll(() => {
  for (const made of temporaries) rmSync(made, { recursive: true });
});

const copy = () => {
  const other = temporary();
  cpSync(folder, other, { recursive: true });
  return other;
};

const cluster = (dataDir = folder) => join(dataDir, 'postgres', 'cluster');

const start = async (dataDir = folder, options: EmbeddedOptions = {}) => {
  const embedded = await startEmbedded(dataDir, { fsync: false, ...options });
  started.push(embedded);
  return embedded;
};

const queryOne = async (url: string, sql: string): Promise<Record<string, unknown> | undefined> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows[0];
};

/** Another server on the same folder, in a separate process; prints `up` or the error. */
const otherServer = async (dataDir = folder) => {
  const code = `const { startEmbedded } = await import(${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)});
    await startEmbedded(${JSON.stringify(dataDir)}, { fsync: false }).then(() => console.log('up'), (error) => { console.log(error.message); process.exit(1) });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { child, output: String(line).trim() };
};

const postmasterPid = (dataDir = folder) => readPostmaster(cluster(dataDir))?.pid ?? 0;

test('a new folder gets a database that listens only on this machine, with a URL that only the owner can read', async () => {
  const testDatabase = temporary();
  const { url, stop } = await start(testDatabase);
  expect(await queryOne(url, "select current_setting('server_version_num')::int / 10000 as major, current_database() as name")).toEqual({
    major: 18,
    name: 'farlink',
  });
  expect(
    await queryOne(
      url,
      "select current_setting('listen_addresses') as tcp, current_setting('unix_socket_directories') as unix, current_setting('data_checksums') as sums",
    ),
  ).toEqual({
    tcp: '127.0.0.1',
    unix: '',
    sums: 'on',
  });
  expect(statSync(join(testDatabase, 'postgres', 'url')).mode & 0o777).toBe(0o600);
  const pid = postmasterPid(testDatabase);
  await stop();
  expect(isPostgres(pid)).toBe(false);
});

test('pg_trgm creates trigrams of Chinese words', async () => {
  const { url } = await start();
  await queryOne(url, 'create extension if not exists pg_trgm');
  expect(await queryOne(url, "select cardinality(show_trgm('远联')) as count")).toEqual({ count: 3 });
});

test('a wrong password is refused', async () => {
  const url = new URL((await start()).url);
  url.password = 'guess';
  await expect(queryOne(url.href, 'select 1')).rejects.toThrow('password authentication failed');
});

test('data is still there after a restart, at the same address', async () => {
  const first = await start();
  await queryOne(first.url, 'create table stopped as select 7 as n');
  await first.stop();
  const second = await start();
  expect(second.url).toBe(first.url);
  expect(await queryOne(second.url, 'select n from stopped')).toEqual({ n: 7 });
});

test('a port in use is replaced by another one', async () => {
  const first = await start();
  await first.stop();
  const thief = createServer().listen(Number(new URL(first.url).port), '127.0.0.1');
  await once(thief, 'listening');
  const second = await start();
  expect(second.url).not.toBe(first.url);
  expect(await queryOne(second.url, 'select 1 as n')).toEqual({ n: 1 });
  thief.close();
});

test('the running database of a killed server is reused, not started again', { tags: 'all' }, async () => {
  const { child, output } = await otherServer();
  expect(output).toBe('up');
  const pid = postmasterPid();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isPostgres(pid)).toBe(true);
  const { url } = await start();
  expect(postmasterPid()).toBe(pid);
  expect(await queryOne(url, 'select 1 as n')).toEqual({ n: 1 });
});

test('a second server on the same folder is refused with a message and does not disturb the first', { tags: 'all' }, async () => {
  const { url } = await start();
  const { output } = await otherServer();
  expect(output).toMatch(/^Another Farlink server already runs on .*: stop it, or set DATA_DIR/);
  expect(await queryOne(url, 'select 1 as n')).toEqual({ n: 1 });
});

test('only one of two servers that start at once on a new folder succeeds', { tags: 'all' }, async () => {
  const testDatabase = temporary();
  const output = (await Promise.all([otherServer(testDatabase), otherServer(testDatabase)])).map((other) => other.output.split(' ')[0]);
  expect(output.toSorted()).toEqual(['Another', 'up']);
  for (const child of children) child.kill('SIGKILL');
  await start(testDatabase);
});

test('a killed postmaster is replaced at the same address while the server runs', { tags: 'all' }, async () => {
  const printed: string[] = [];
  const { url } = await start(folder, { print: (line) => printed.push(line) });
  await queryOne(url, 'create table killed as select 7 as n');
  const pid = postmasterPid();
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => queryOne(url, 'select n from killed').catch(() => undefined), { timeout: 15_000 }).toEqual({ n: 7 });
  expect(postmasterPid()).not.toBe(pid);
  expect(printed).toEqual(['The embedded database stopped and is being restarted.']);
});

test('a postmaster.pid with the process id of another program does not prevent the start', async () => {
  writeFileSync(pidFile(cluster()), `${process.pid}\n${cluster()}\n1\n5432\n\n127.0.0.1\n\nready\n`);
  const { url } = await start();
  expect(await queryOne(url, 'select 1 as n')).toEqual({ n: 1 });
});

test('a copy of a running folder gets a separate database', { tags: 'all' }, async () => {
  const { url } = await start();
  await queryOne(url, 'checkpoint');
  const other = copy();
  const second = await start(other);
  expect(second.url).not.toBe(url);
  expect(await queryOne(second.url, "select current_setting('data_directory') as at")).toEqual({ at: cluster(other) });
});

test('a folder of another PostgreSQL is refused', async () => {
  const other = copy();
  writeFileSync(join(cluster(other), 'PG_VERSION'), '14\n');
  await expect(startEmbedded(other)).rejects.toThrow('was made by PostgreSQL 14 and this version of Farlink brings PostgreSQL 18');
});

test('a failed start reports the message of PostgreSQL', async () => {
  const other = copy();
  writeFileSync(join(cluster(other), 'postgresql.auto.conf'), 'work_mem = lots\n');
  await expect(startEmbedded(other)).rejects.toThrow(/The embedded database did not start: .*(work_mem|configuration).*log\)/);
  expect(readFileSync(join(other, 'postgres', 'log'), 'utf8')).toContain('work_mem');
});
