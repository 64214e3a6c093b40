import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../src/db/connect.ts';
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

/** Tables that stay short. The key of `bill_month` begins with one of four lists, one per partition, so it finds a VNO as well. */
const short = ['bill_month', 'card_rule', 'cash_handover', 'customer', 'device_transfer', 'file_upload', 'remote_token', 'settlement'];

test('a deletion of an operator or a VNO finds the rows of each long table by an index', async () => {
  const { rows } = await open.pool.query<{ name: string }>(
    `select c.conrelid::regclass || '.' || a.attname as name
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and c.conparentid = 0 and c.confrelid in ('agent'::regclass, 'customer'::regclass)
       and c.conrelid::regclass::text <> all($1)
       and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = a.attnum)`,
    [short],
  );
  expect(rows).toEqual([]);
});

test('no index only repeats the first columns of another', async () => {
  const { rows } = await open.pool.query<{ name: string }>(
    `with whole as (
       select i.indrelid, i.indexrelid, i.indisunique, array_to_string(i.indkey::int2[], ',') || ',' as columns
       from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
       where m.amname = 'btree' and i.indpred is null and i.indexprs is null and i.indnatts = i.indnkeyatts and i.indoption::text !~ '[1-3]'
     )
     select a.indexrelid::regclass::text as name from whole a join whole b using (indrelid)
     where a.indexrelid <> b.indexrelid and not a.indisunique and starts_with(b.columns, a.columns)`,
  );
  expect(rows).toEqual([]);
});
