import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/setup/database.ts';
import { openDatabase } from './connect.ts';
import { prepared } from './prepare.ts';

test('a marked statement is prepared once per connection, and others are not prepared', async () => {
  const testDatabase = await createTestDatabase();
  const { db, close } = await openDatabase(testDatabase.url, { max: 1 });
  const planned = async () => (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)).rows.length;
  const before = await planned();
  for (let i = 0; i < 3; i++)
    expect((await sql<{ n: number }>`${sql.raw(prepared)}select ${i}::int as n`.execute(db)).rows).toEqual([{ n: i }]);
  await sql`select ${1}::int as n`.execute(db);
  expect((await planned()) - before).toBe(1);
  await close();
  await testDatabase.drop();
});

test('a column added by another version does not break prepared statements outside transactions', async () => {
  const testDatabase = await createTestDatabase();
  const { db, pool, close } = await openDatabase(testDatabase.url, { max: 1 });
  await pool.query('create table grown (a int); insert into grown values (1)');
  const text = `${prepared}select * from grown where a = $1`;
  const byKysely = () => sql.raw(text.replace('$1', '1')).execute(db);
  const byPool = () => pool.query(text, [1]);
  for (const read of [byKysely, byPool]) expect((await read()).rows).toEqual([{ a: 1 }]);
  await pool.query('alter table grown add column b int');
  for (const read of [byKysely, byPool, byKysely, byPool]) expect((await read()).rows).toEqual([{ a: 1, b: null }]);
  // Inside a transaction the statement fails once, and not again.
  await pool.query('alter table grown add column c int');
  await expect(db.transaction().execute((inside) => sql.raw(text.replace('$1', '1')).execute(inside))).rejects.toThrow('cached plan');
  expect((await byKysely()).rows).toEqual([{ a: 1, b: null, c: null }]);
  await close();
  await testDatabase.drop();
});
