import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/database.ts';
import { type OpenDatabase, openDatabase } from '../../db/connect.ts';
import { beat, isSilent, takeOver } from '../sweep.ts';
import { openLeaderLock } from './leader-lock.ts';

let testDatabase: TestDatabase;
let databases: OpenDatabase[];
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  databases = [await openDatabase(testDatabase.url, { max: 2 }), await openDatabase(testDatabase.url, { max: 2 })];
});
afterAll(async () => {
  for (const { close } of databases) await close();
  await testDatabase.drop();
});

test('a silent leader can be replaced: the next one takes the lock with a higher epoch', async () => {
  const [a, b] = databases;
  if (!a || !b) throw new Error('no database');
  const first = openLeaderLock(a.pool);
  const second = openLeaderLock(b.pool);
  expect([await first.acquire(), await first.acquire(), await second.acquire()]).toEqual(['taken', 'held', false]);
  const { epoch } = await beat(a.pool, 'broker', 1000);
  expect([await isSilent(b.pool, 'broker', 1030), await isSilent(b.pool, 'broker', 1031)]).toEqual([false, true]);
  await second.terminateHolder();
  await expect.poll(() => second.acquire()).toBe('taken');
  const next = await takeOver(b.pool, 'broker');
  expect(next).toBeGreaterThan(epoch);
  await expect.poll(() => first.acquire()).toBe(false);
  second.release();
});
