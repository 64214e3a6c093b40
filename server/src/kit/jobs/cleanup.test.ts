import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { openFileStore } from '../files/open-file-store.ts';
import { cleanupJobs, retention } from './cleanup.ts';
import { enqueue } from './job.ts';
import { startJobs } from './job-runner.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

const work = async () => {
  const runner = startJobs(service.deps, cleanupJobs, { pollMs: 0 });
  await runner.tick();
  await runner.stop();
};
const count = async (table: string) => (await service.deps.pool.query<{ n: number }>(`select count(*) as n from ${table}`)).rows[0]?.n;

test('the hourly job removes rows after their retention time and keeps the others', async () => {
  const { db } = service.deps;
  const old = service.clock.now();
  const add = async () => {
    const now = service.clock.now();
    await db
      .insertInto('captcha')
      .values({ id: String(now), answer_hash: '-', expire_at: now + 120 })
      .execute();
    await db.insertInto('sms_code').values({ type: 'x', phone: '1', salt: '', code_hash: '', create_at: now, expire_at: now }).execute();
    await db.insertInto('sms_outbox').values({ phone: '1', body: '-', create_at: now }).execute();
    await db
      .insertInto('attempt')
      .values({ name: `name${now}`, count: 1, update_at: now })
      .execute();
    for (const state of ['sent', 'waiting'] as const)
      await db.insertInto('outbox').values({ channel: 'sms', recipient: '1', state, next_at: now, create_at: now }).execute();
  };
  await add();
  service.clock.advance(retention.job + 3600);
  await add();
  await work();
  expect(await Promise.all(['captcha', 'sms_code', 'sms_outbox', 'attempt'].map(count))).toEqual([1, 1, 1, 1]);
  const left = await db.selectFrom('outbox').select(['state', 'create_at']).orderBy('id').execute();
  expect(left).toEqual([
    { state: 'waiting', create_at: old },
    { state: 'sent', create_at: service.clock.now() },
    { state: 'waiting', create_at: service.clock.now() },
  ]);
});

test('finished jobs are removed after a month, waiting ones never', async () => {
  const { db } = service.deps;
  await db.deleteFrom('job').execute();
  await enqueue(db, service.clock.now(), { kind: 'unknown_kind' });
  await work();
  service.clock.advance(retention.job + 1);
  await work();
  expect(await db.selectFrom('job').select(['kind', 'state']).orderBy('id').execute()).toEqual([
    { kind: 'unknown_kind', state: 'waiting' },
    { kind: 'housekeeping', state: 'done' },
  ]);
});

test('temporary files of a killed process are removed after a day', async () => {
  const folder = join(service.deps.config.dataDir, 'tmp');
  mkdirSync(folder);
  for (const name of ['old', 'new']) writeFileSync(join(folder, name), 'x');
  const then = Date.now() / 1000 - retention.temporaryFile - 10;
  utimesSync(join(folder, 'old'), then, then);
  service.clock.advance(3600);
  await work();
  expect(readdirSync(folder)).toEqual(['new']);
});

test('the file of a failed export is removed', async () => {
  const store = openFileStore(service.deps.config);
  await store.put('export/lost.csv', Readable.from(['x']), 1);
  const now = service.clock.now();
  const task = { title_zh: '', title_en: '', call: '', format: 'csv', payload: '{}', create_at: now, finish_at: now } as const;
  await service.deps.db
    .insertInto('export_task')
    .values({ ...task, state: 9, file_key: 'export/lost.csv', customer_id: service.me.uid })
    .execute();
  await service.deps.db
    .insertInto('export_task')
    .values({ ...task, state: 3 })
    .execute();
  service.clock.advance(3600);
  await work();
  await expect(store.size('export/lost.csv')).rejects.toMatchObject({ reason: 'not_found' });
  expect(await service.deps.db.selectFrom('export_task').select(['state', 'file_key', 'message_en']).execute()).toEqual([
    { state: 9, file_key: null, message_en: null },
  ]);
});

test('a remove_file job removes the file of a deleted row', async () => {
  const store = openFileStore(service.deps.config);
  await store.put('export/gone.csv', Readable.from(['x']), 1);
  await enqueue(service.deps.db, service.clock.now(), { kind: 'remove_file', payload: { key: 'export/gone.csv' } });
  await work();
  await expect(store.size('export/gone.csv')).rejects.toMatchObject({ reason: 'not_found' });
});
