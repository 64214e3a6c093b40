import { CompiledQuery, sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/setup/database.ts';
import { openDatabase } from './connect.ts';
import { prepared } from './prepare.ts';

test('a marked statement is planned once for its connection, another one each time', async () => {
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

test('an insert of values that is often used is planned once, a search is not', async () => {
  const testDatabase = await createTestDatabase();
  const { db, close } = await openDatabase(testDatabase.url, { max: 1 });
  const known = async () =>
    (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)).rows.map((row) => row.statement);
  await sql`create temp table visit (id int, place text)`.execute(db);
  const insert = (id: number) => db.executeQuery(CompiledQuery.raw('insert into "visit" ("id", "place") values ($1, $2)', [id, 'here']));
  for (let i = 0; i < 12; i++) {
    await insert(i);
    await db.executeQuery(CompiledQuery.raw('select * from "visit" where "place" = $1', ['here']));
  }
  const statements = await known();
  expect(statements.filter((text) => text.startsWith('insert into "visit"'))).toHaveLength(1);
  expect(statements.filter((text) => text.startsWith('select * from "visit"'))).toHaveLength(0);
  expect((await sql<{ n: number }>`select count(*)::int as n from visit`.execute(db)).rows).toEqual([{ n: 12 }]);
  await close();
  await testDatabase.drop();
});
