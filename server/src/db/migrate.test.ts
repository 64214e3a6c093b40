import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/setup/database.ts';
import { type OpenDatabase, openDatabase } from './connect.ts';
import { migrate, migrationsFolder } from './migrate.ts';

let folder: string;
let testDatabase: TestDatabase;
let open: OpenDatabase;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'farlink-migrate-'));
  testDatabase = await createTestDatabase();
  open = await openDatabase(testDatabase.url, { max: 4 });
  await open.pool.query('drop schema public cascade; create schema public');
});

afterEach(async () => {
  await open.close();
  await testDatabase.drop();
  rmSync(folder, { recursive: true });
});

const write = (name: string, sql: string) => writeFileSync(join(folder, name), sql);

test('files run in the order of their names, once', async () => {
  write('0002_b.sql', 'alter table a add column b int');
  write('0001_a.sql', 'create table a (id int)');
  write('readme.txt', 'not a migration');
  expect(await migrate(open.pool, folder)).toEqual(['0001_a.sql', '0002_b.sql']);
  expect(await migrate(open.pool, folder)).toEqual([]);
  write('0003_c.sql', 'alter table a add column c int');
  expect(await migrate(open.pool, folder)).toEqual(['0003_c.sql']);
});

test('a failing file is rolled back, keeps earlier files applied, and runs again after a fix', async () => {
  write('0001_a.sql', 'create table a (id int)');
  write('0002_b.sql', 'create table b (id int); select nonsense');
  await expect(migrate(open.pool, folder)).rejects.toThrow(
    'The migration 0002_b.sql failed and was undone: column "nonsense" does not exist.',
  );
  const { rows } = await open.pool.query("select to_regclass('a') is not null as a, to_regclass('b') is not null as b");
  expect(rows).toEqual([{ a: true, b: false }]);
  write('0002_b.sql', 'create table b (id int)');
  expect(await migrate(open.pool, folder)).toEqual(['0002_b.sql']);
});

test('an applied file that has changed is refused, but other line endings are accepted', async () => {
  write('0001_a.sql', 'create table a (\n  id int)');
  await migrate(open.pool, folder);
  write('0001_a.sql', 'create table a (\r\n  id int)');
  expect(await migrate(open.pool, folder)).toEqual([]);
  write('0001_a.sql', 'create table a (id bigint)');
  await expect(migrate(open.pool, folder)).rejects.toThrow('The migration 0001_a.sql has changed since this database applied it');
});

test('an older version runs with additions of a newer one, until a migration names a required version', { tags: 'all' }, async () => {
  write('0001_a.sql', 'create table a (id int)');
  await migrate(open.pool, folder);
  write('0002_b.sql', 'alter table a add column b int');
  expect(await migrate(open.pool, folder)).toEqual(['0002_b.sql']);
  rmSync(join(folder, '0002_b.sql'));
  expect(await migrate(open.pool, folder)).toEqual([]);
  write('0002_b.sql', 'alter table a add column b int');
  write('0003_c.sql', '-- Since the version with 0002, column id is not used.\n-- runs with: 0002_b.sql\nalter table a drop column id');
  expect(await migrate(open.pool, folder)).toEqual(['0003_c.sql']);
  rmSync(join(folder, '0003_c.sql'));
  expect(await migrate(open.pool, folder)).toEqual([]);
  rmSync(join(folder, '0002_b.sql'));
  await expect(migrate(open.pool, folder)).rejects.toThrow(
    'The database has the migration 0003_c.sql, with which this version cannot run: start the version that created it.',
  );
});

test('a version of another branch is refused', { tags: 'all' }, async () => {
  write('0001_a.sql', 'create table a (id int)');
  write('0003_theirs.sql', 'create table theirs (id int)');
  await migrate(open.pool, folder);
  rmSync(join(folder, '0003_theirs.sql'));
  write('0002_ours.sql', 'create table ours (id int)');
  await expect(migrate(open.pool, folder)).rejects.toThrow('it lacks the migration 0002_ours.sql and has later ones');
});

const recordMerged = async (...names: string[]) => {
  await migrate(open.pool, folder);
  await open.pool.query('insert into migration (name, sha256) select name, name from unnest($1::text[]) name', [names]);
};

test('a database with the merged migrations records their files without running them', { tags: 'all' }, async () => {
  await recordMerged('0001_foundation.sql', '0134_periods.sql', '0250_plain_phones.sql');
  write('0001_vno.sql', 'create table agent (id int)');
  write('0013_audit.sql', 'create table audit_key (id int)');
  write('0014_next.sql', 'create table next (id int)');
  expect(await migrate(open.pool, folder)).toEqual(['0014_next.sql']);
  expect(await migrate(open.pool, folder)).toEqual([]);
  const { rows } = await open.pool.query("select to_regclass('agent') as agent, array(select name from migration order by name) as names");
  expect(rows).toEqual([{ agent: null, names: ['0001_vno.sql', '0013_audit.sql', '0014_next.sql'] }]);
});

test('a database that lacks some of the merged migrations is refused and not changed', { tags: 'all' }, async () => {
  await recordMerged('0001_foundation.sql', '0134_periods.sql');
  write('0001_vno.sql', 'create table agent (id int)');
  await expect(migrate(open.pool, folder)).rejects.toThrow(
    'The database lacks the migration 0250_plain_phones.sql of the version before this one: start that version once',
  );
  const { rows } = await open.pool.query("select to_regclass('agent') as agent, array(select name from migration order by name) as names");
  expect(rows).toEqual([{ agent: null, names: ['0001_foundation.sql', '0134_periods.sql'] }]);
});

test('a migration that waits for a lock does not block others, and completes after the long transaction', { tags: 'all' }, async () => {
  write('0001_a.sql', 'create table a (id int)');
  await migrate(open.pool, folder);
  write('0002_b.sql', 'alter table a add column b int');
  const reader = await open.pool.connect();
  await reader.query('begin');
  await reader.query('select * from a');
  const migrating = migrate(open.pool, folder);
  const waits = "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  await expect.poll(async () => (await open.pool.query(waits)).rows).toEqual([{ n: 1 }]);
  // Behind the waiting ALTER TABLE this statement would wait as long as the reader.
  await open.pool.query('insert into a values (1)');
  await reader.query('commit');
  reader.release();
  expect(await migrating).toEqual(['0002_b.sql']);
});

test('migrations that remove or change something name the required version', () => {
  const removes =
    /\b(drop\s+(table|column|view|function)|rename\s+(to|column)|alter\s+column\s+\w+\s+(set\s+not\s+null|type|set\s+data))\b/i;
  const faults = readdirSync(migrationsFolder)
    .filter((name) => name.endsWith('.sql'))
    .filter((name) => {
      const text = readFileSync(join(migrationsFolder, name), 'utf8');
      return removes.test(text.replace(/--.*$/gm, '')) && !/^-- runs with: \S+$/m.test(text);
    });
  expect(faults).toEqual([]);
});

test('processes that start together apply each file once', { tags: 'all' }, async () => {
  write('0001_a.sql', 'create table a (id int); select pg_sleep(0.1)');
  const applied = await Promise.all([1, 2, 3].map(() => migrate(open.pool, folder)));
  expect(applied.flat()).toEqual(['0001_a.sql']);
});
