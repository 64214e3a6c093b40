import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/setup/database.ts';
import { type OpenDatabase, openDatabase } from './connect.ts';
import { migrate } from './migrate.ts';

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

test('a failing file leaves nothing of itself, keeps those before it, and runs again when mended', async () => {
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

test('an applied file that has changed is refused, other line ends are no change', async () => {
  write('0001_a.sql', 'create table a (\n  id int)');
  await migrate(open.pool, folder);
  write('0001_a.sql', 'create table a (\r\n  id int)');
  expect(await migrate(open.pool, folder)).toEqual([]);
  write('0001_a.sql', 'create table a (id bigint)');
  await expect(migrate(open.pool, folder)).rejects.toThrow('The migration 0001_a.sql has changed since this database applied it');
});

test('a database of a newer version is refused', async () => {
  write('0001_a.sql', 'create table a (id int)');
  await migrate(open.pool, folder);
  rmSync(join(folder, '0001_a.sql'));
  await expect(migrate(open.pool, folder)).rejects.toThrow('The database has the migration 0001_a.sql, which is unknown to this version');
});

test('processes that start together apply each file once', async () => {
  write('0001_a.sql', 'create table a (id int); select pg_sleep(0.1)');
  const applied = await Promise.all([1, 2, 3].map(() => migrate(open.pool, folder)));
  expect(applied.flat()).toEqual(['0001_a.sql']);
});
