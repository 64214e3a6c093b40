/** @module-tag all */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../src/db/connect.ts';
import { auditKinds } from '../src/domain/audit/kinds.ts';
import { sealRound } from '../src/domain/audit/seal-job.ts';
import { verifyLog } from '../src/domain/audit/verify-log.ts';
import { verifyPeriod } from '../src/domain/audit/verify-period.ts';
import { readConfig } from '../src/env/config.ts';
import { addAuditDevice } from './audit.ts';
import { createTestDatabase, type TestDatabase } from './setup/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-audit-'));
const secret = 'ab'.repeat(32);
let testDatabase: TestDatabase;
let database: OpenDatabase;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { max: 3 });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await database?.close();
  await testDatabase?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const start = (...args: string[]) => {
  const env = { ...process.env, DATABASE_URL: testDatabase.url, DATA_DIR: folder, SECRET_KEY: secret };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'audit-process.ts'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  return child;
};
/** Waits for rounds of a process, then kills it in the middle of the next one. */
const killAfter = async (child: ChildProcess, rounds: number) => {
  for (let seen = 0; seen < rounds; ) seen += String(await once(child.stdout ?? child, 'data')).length;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  children.delete(child);
};

test('kill -9 of processes that store or seal audit data leaves no gap, no double seal and no fork', async () => {
  const config = readConfig({ DATA_DIR: folder, SECRET_KEY: secret });
  const clock = { now: () => Math.floor(Date.now() / 1000) + 240 };
  const deps = { ...database, config, clock, log: pino({ level: 'silent' }) };
  const agent = { name: 'Platform', code: 'p', path: '/1/', agent_level: 0, agent_mode: 1, agent_child_enable: true } as const;
  const { id } = await database.db
    .insertInto('agent')
    .values({ ...agent, enrol_auto: true, create_at: 1, update_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const devices = [await addAuditDevice(deps, id, 'GW1'), await addAuditDevice(deps, id, 'GW2')];
  const store = (i: number) => start('store', String(devices[i]));
  const storing = [store(0), store(1)];
  for (let kills = 0; kills < 4; kills++) {
    await killAfter(start('seal'), 1 + kills);
    if (kills === 2) {
      await killAfter(storing[0] ?? store(0), 1);
      storing[0] = store(0);
    }
  }
  for (const child of storing) await killAfter(child, 1);
  await sealRound(deps);
  const log = await verifyLog(database.pool, []);
  expect(log.findings).toEqual([]);
  const { rows } = await database.pool.query(
    `select (select count(*)::int from audit_batch where seal is null) as open, (select count(*)::int from audit_batch) as batches,
      (select sum(batches)::int from audit_leaf where type = 'seal') as sealed, (select count(*)::int from audit_leaf where type = 'fork') as forks,
      (select stopped from audit_log) as stopped`,
  );
  expect(rows[0]).toEqual({ open: 0, batches: rows[0].sealed, sealed: rows[0].sealed, forks: 0, stopped: null });
  expect(rows[0].sealed).toBeGreaterThan(10);
  for (const kind of auditKinds) {
    const period = { kind, from: 0, to: clock.now() };
    expect((await verifyPeriod(database.pool, config.secretKey, period)).findings).toEqual([]);
  }
}, 180_000);
