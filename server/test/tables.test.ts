import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../src/db/connect.ts';
import { describeTables } from '../src/db/generate-types.ts';
import { createTestDatabase, type TestDatabase } from './setup/database.ts';

let testDatabase: TestDatabase;
let open: OpenDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  open = await openDatabase(testDatabase.url, { max: 1 });
});

afterAll(async () => {
  await open?.close();
  await testDatabase?.drop();
});

test('tables.ts matches the migrations: `npm run tables` writes it', async () => {
  const written = readFileSync(new URL('../src/db/tables.ts', import.meta.url), 'utf8');
  expect(written).toBe(await describeTables(open.pool));
});

test('every kind of column is described as the driver reads and writes it', async () => {
  await open.pool.query(`
    create type mood as enum ('glad', 'sad');
    create table sample (
      id bigint generated always as identity primary key,
      name text not null,
      note text,
      price numeric(12, 2) not null default 0,
      marks int4[] not null,
      mood mood not null,
      flags jsonb not null default '{}',
      extra jsonb,
      grants jsonb not null,
      born timestamptz not null default now(),
      twice int generated always as (2) stored
    );
    comment on column sample.grants is 'ts: Record<string, string>';
  `);
  const text = await describeTables(open.pool);
  expect(text.slice(text.indexOf('export interface SampleTable')).split('\n}\n')[0]).toBe(`export interface SampleTable {
  id: GeneratedAlways<number>;
  name: string;
  note: string | null;
  price: Generated<string>;
  marks: number[];
  mood: 'glad' | 'sad';
  flags: ColumnType<Json, string | undefined, string>;
  extra: ColumnType<Json | null, string | null | undefined, string | null>;
  grants: ColumnType<Record<string, string>, string, string>;
  born: Generated<Date>;
  twice: GeneratedAlways<number | null>;`);
});
