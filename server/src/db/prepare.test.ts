import { sql } from 'kysely';
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
