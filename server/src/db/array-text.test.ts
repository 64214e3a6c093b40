import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/setup/database.ts';
import { arrayText, jsonArray } from './array-text.ts';
import { type OpenDatabase, openDatabase } from './connect.ts';

let testDatabase: TestDatabase;
let open: OpenDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  open = await openDatabase(testDatabase.url, { max: 1 });
});

afterAll(async () => {
  await open.close();
  await testDatabase.drop();
});

const read = async (type: string, array: string) => (await open.pool.query(`select $1::${type}[] as value`, [array])).rows[0].value;

test('PostgreSQL reads the arrays that were written', async () => {
  const numbers = [1, -2.5, null, 9_007_199_254_740_991];
  expect(await read('float8', arrayText([...numbers, undefined]))).toEqual([...numbers, null]);
  const texts = ['plain', '', 'null', 'NULL', '{a,b}', 'say "hi"', 'back\\slash', 'line\nline\ttab', '远联 🚢', null];
  expect(await read('text', arrayText([...texts, undefined]))).toEqual([...texts, null]);
  expect(await read('boolean', arrayText([true, false, null]))).toEqual([true, false, null]);
  const docs = [{ ssid: 'a "b" \\ \n c', n: [1, null] }, [], 'text', 0];
  expect(await read('jsonb', jsonArray([...docs, undefined]))).toEqual([...docs, null]);
  expect(await read('text', arrayText([]))).toEqual([]);
});
