import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAuditDevice, backUpAudit, mailRows, storeAuditRows, urlRows } from '../../../test/audit.ts';
import { onCitus } from '../../../test/setup/citus.ts';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { weekS } from '../../db/partitions.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { findingText } from './findings.ts';
import { sealRound } from './seal-job.ts';
import { planNight, startManual, verifyJobs } from './verify-job.ts';
import { continueRun } from './verify-run.ts';

let service: ServiceDeps;
let device: number;
let begin: number;
let restore: () => Promise<void>;
let checkpoint: string;
const file = () => join(service.deps.config.dataDir, 'audit-checkpoint.txt');

/** 70 minutes with a batch of 5 URLs each; three batches and 4 mails in the first. */
beforeAll(async () => {
  service = await serviceDeps();
  device = await addAuditDevice(service.deps, service.me.agent_id, 'GW1');
  begin = Math.ceil(service.clock.now() / 3600) * 3600;
  service.clock.advance(begin - service.clock.now());
  await storeAuditRows(service.deps, device, 'a_mail', mailRows(4, begin));
  await storeAuditRows(service.deps, device, 'a_url', urlRows(1, begin));
  await storeAuditRows(service.deps, device, 'a_url', urlRows(2, begin));
  for (let i = 0; i < 70; i++) {
    await storeAuditRows(service.deps, device, 'a_url', urlRows(5, service.clock.now()));
    service.clock.advance(60);
    if (i % 10 === 0) await sealRound(service.deps);
  }
  await sealRound(service.deps);
  restore = await backUpAudit(service.deps, 'whole');
  checkpoint = readFileSync(file(), 'utf8');
});
afterAll(() => service?.close());

/** Nights are planned by the tests. */
const { plan_audit_verification: _, ...runJobs } = verifyJobs;

const run = async (from = begin, to = service.clock.now()) => {
  const { db, clock } = service.deps;
  const id = await db.transaction().execute((tx) => startManual(tx, clock.now(), { from_at: from, to_at: to, operator: 'Test' }));
  const runner = startJobs(service.deps, runJobs, { pollMs: 0 });
  await runner.tick();
  await runner.stop();
  const findings = await db.selectFrom('audit_finding').selectAll().where('verification_id', '=', id).orderBy('id').execute();
  const row = await db.selectFrom('audit_verification').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return { row, findings, types: findings.map(({ type }) => type) };
};
const sql = (text: string, values: unknown[] = []) => service.deps.pool.query(text, values);
const reset = async () => {
  await restore();
  writeFileSync(file(), checkpoint);
  await sql('update audit_log set stopped = null, stopped_at = null, outside = null');
};
const batchOfMinute = async (minute: number): Promise<string> =>
  (await sql("select id from audit_batch where kind = 'url' and stored_at = $1 order by seq desc limit 1", [begin + 60 * minute])).rows[0]
    .id;

test('data as it was stored has no findings', async () => {
  const { row, findings } = await run();
  expect(findings).toEqual([]);
  expect(row).toMatchObject({ state: 'done', row_count: 357, batch_count: 73, progress: 100, finding_count: 0 });
  expect(row.log_size).toBe(72);
});

describe('each change is reported by its own message', () => {
  const texts = new Set<string>();
  const expectOnly = async (type: string, more: object = {}) => {
    const { findings, types } = await run();
    expect([...new Set(types)]).toEqual([type]);
    expect(findings[0]).toMatchObject(more);
    const [finding] = findings;
    const own = finding
      ? findingText({ ...finding, batch: null, from_at: null, to_at: null, device_id: null, n: null, count: null })
      : ['', ''];
    for (const text of own) {
      expect(text).not.toBe('');
      expect(texts.has(text)).toBe(false);
      texts.add(text);
    }
    await reset();
    return findings;
  };

  test('one byte of a reported value', async () => {
    const batch = await batchOfMinute(3);
    await sql("update audit_url set host = host || 'x' where batch = $1 and n = 2", [batch]);
    await expectOnly('row_altered', { batch, n: 2, device_id: device, from_at: begin + 180, kind: 'url' });
  });

  test('each column of a row', async () => {
    const batch = await batchOfMinute(3);
    const { rows } = await sql(
      "select column_name as name, data_type as type from information_schema.columns where table_name = 'audit_url'",
    );
    // Citus refuses another device for a row, because it would belong to another worker.
    const fixed = ['id', 'batch', 'n', 'stored_at', 'key_id', 'sealed', ...(onCitus ? ['device_id'] : [])];
    const columns = rows.filter(({ name }) => !fixed.includes(name));
    expect(columns.length).toBeGreaterThan(onCitus ? 13 : 14);
    for (const { name, type } of columns) {
      const changed = type === 'bytea' ? "'\\x00'" : type === 'text' ? `coalesce(${name}, '') || 'x'` : `coalesce(${name}, 0) + 1`;
      await sql(`update audit_url set ${name} = ${changed} where batch = $1 and n = 1`, [batch]);
      const { types, findings } = await run(begin + 180, begin + 240);
      expect([name, types.filter((one) => one !== 'sealed_altered'), findings[0]?.n]).toEqual([name, ['row_altered'], 1]);
      await reset();
    }
  });

  test('a deleted row', async () => {
    const batch = await batchOfMinute(4);
    await sql('delete from audit_url where batch = $1 and n = 4', [batch]);
    await expectOnly('row_missing', { batch, n: 4, device_id: device });
  });

  test('an added row', async () => {
    const batch = await batchOfMinute(5);
    await sql(
      `insert into audit_url (stored_at, batch, n, device_id, agent_id, at, account, host)
      select stored_at, batch, 5, device_id, agent_id, at, account, host from audit_url where batch = $1 and n = 0`,
      [batch],
    );
    await expectOnly('row_added', { batch, n: 5 });
    await sql(
      `insert into audit_url (stored_at, batch, n, device_id, agent_id, at, account, host)
      select stored_at + 1, gen_random_uuid(), 0, device_id, agent_id, at, account, host from audit_url where batch = $1 and n = 0`,
      [batch],
    );
    const { types } = await run();
    expect(types).toEqual(['row_added']);
    await reset();
  });

  test('encrypted values, their key and the search index', async () => {
    const first = '(select id from audit_mail where n = 1 order by id limit 1)';
    await sql(`update audit_mail set sealed = set_byte(sealed, 30, get_byte(sealed, 30) # 1) where id = ${first}`);
    await expectOnly('sealed_altered', { kind: 'mail', n: 1 });
    for (const change of ['subject_index = subject_index + 1', 'receiver_index[1] = 7', 'sealed = null', 'sender_index = null']) {
      await sql(`update audit_mail set ${change} where id = ${first}`);
      expect([change, (await run()).types]).toEqual([change, ['sealed_altered']]);
      await reset();
    }
  });

  test('values of a forgotten subject are not altered', async () => {
    await sql('create table kept as table audit_key');
    await sql('delete from audit_key');
    expect((await run()).types).toEqual([]);
    await sql('insert into audit_key overriding system value table kept');
  });

  test('the record of a batch, with rows that fit it', async () => {
    const batch = await batchOfMinute(0);
    await sql('update audit_batch set boot = $2 where id = $1', [batch, 'other']);
    await expectOnly('batch_altered', { batch });
  });

  test('a deleted batch with its rows', async () => {
    const batch = await batchOfMinute(0);
    await sql('delete from audit_url where batch = $1', [batch]);
    await sql('delete from audit_batch where id = $1', [batch]);
    await expectOnly('batch_missing', { from_at: begin, count: 1 });
  });

  test('an added batch', async () => {
    const batch = await batchOfMinute(0);
    await sql(
      `with made as (insert into audit_batch select gen_random_uuid(), kind, device_id, agent_id, boot, seq, count, stored_at, root, added_root, signature, seal
      from audit_batch where id = $1 returning id)
      insert into audit_url (stored_at, batch, n, device_id, agent_id, subscriber_id, at, account, ip, mac, host)
      select stored_at, made.id, n, device_id, agent_id, subscriber_id, at, account, ip, mac, host from audit_url, made where batch = $1`,
      [batch],
    );
    await expectOnly('batch_added', { from_at: begin, device_id: device });
  });

  test('a deleted minute', async () => {
    const at = begin + 600;
    await sql('delete from audit_url where stored_at = $1', [at]);
    await sql('delete from audit_batch where stored_at = $1', [at]);
    await expectOnly('minute_missing', { from_at: at, to_at: at + 60, count: 1 });
  });

  test('a deleted newest hour, as one range of minutes if the log is kept', async () => {
    const at = begin + 600;
    await sql('delete from audit_url where stored_at >= $1', [at]);
    await sql('delete from audit_batch where stored_at >= $1', [at]);
    const { findings } = await run();
    expect(findings).toMatchObject([{ type: 'minute_missing', from_at: at, to_at: begin + 4200, count: 60 }]);
    await reset();
  });

  test('a deleted newest hour with its seals', async () => {
    const at = begin + 600;
    await sql('delete from audit_url where stored_at >= $1', [at]);
    await sql('delete from audit_batch where stored_at >= $1', [at]);
    await sql('delete from audit_leaf where from_at >= $1', [at]);
    await expectOnly('log_shorter', { from_at: 12, count: 60 });
  });

  test('a changed and a deleted leaf of the log', async () => {
    await sql('update audit_leaf set rows = rows + 1 where index = 5');
    await expectOnly('log_altered', { from_at: 5 });
    await sql('delete from audit_leaf where index = 0');
    expect((await run()).findings[0]).toMatchObject({ type: 'log_altered', from_at: 0 });
    await reset();
  });

  test('a forged checkpoint', async () => {
    await sql("update audit_log set checkpoint = replace(checkpoint, '— farlink', '— forged')");
    await expectOnly('checkpoint_invalid');
  });

  test('a restored backup', async () => {
    await storeAuditRows(service.deps, device, 'a_url', urlRows(2, service.clock.now()));
    service.clock.advance(60);
    await sealRound(service.deps);
    await restore();
    await expectOnly('log_restored');
  });

  test('a missing week, and a week that exists after its drop', async () => {
    const week = Math.floor(begin / weekS) * weekS;
    await sql('delete from audit_url');
    await sql("delete from audit_batch where kind = 'url'");
    await expectOnly('week_missing', { kind: 'url', from_at: week, to_at: week + weekS });
    await sql(`insert into audit_leaf (index, type, kind, from_at, batches, rows, root, create_at, hash)
      select 72, 'drop', 'url', ${week}, 1, 1, root, ${week}, hash from audit_leaf where index = 1`);
    const { types } = await run();
    expect(types).toEqual(['week_returned', 'drop_early', 'log_altered']);
    await reset();
  });
});

test('an interrupted run continues where it stopped', async () => {
  const { db, clock, pool } = service.deps;
  const batch = await batchOfMinute(3);
  await sql('delete from audit_url where batch = $1 and n = 4', [batch]);
  const id = await db.transaction().execute((tx) => startManual(tx, clock.now(), { from_at: begin, to_at: clock.now(), operator: 'Test' }));
  await expect(
    db.transaction().execute((tx) => startManual(tx, clock.now(), { from_at: begin, to_at: begin, operator: 'Test' })),
  ).rejects.toMatchObject({ reason: 'audit_verifying' });
  let found = await db.selectFrom('audit_verification').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  for (let steps = 0; ; steps++) {
    const ended = await continueRun(service.deps, found, () => Promise.reject(new Error('ended'))).then(
      () => true,
      () => false,
    );
    found = await db.selectFrom('audit_verification').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    if (ended) break;
    expect(steps).toBeLessThan(20);
  }
  expect(found).toMatchObject({ row_count: 356, batch_count: 73, finding_count: 1 });
  await pool.query("update audit_verification set state = 'done'");
  await pool.query('delete from job');
  await reset();
});

test('each night verifies new data and one older day, and findings raise an alarm', async () => {
  const { db, pool } = service.deps;
  const night = async () => {
    await planNight(service.deps);
    const runner = startJobs(service.deps, runJobs, { pollMs: 0 });
    await runner.tick();
    await runner.stop();
    return db.selectFrom('audit_verification').selectAll().where('cause', '=', 'nightly').orderBy('id').execute();
  };
  await pool.query('delete from notice');
  service.clock.advance(86_400);
  expect(await night()).toMatchObject([{ from_at: begin, row_count: 357, state: 'done', finding_count: 0 }]);
  expect(await night()).toHaveLength(1);
  service.clock.advance(26 * 3600);
  const batch = await batchOfMinute(3);
  await sql("update audit_url set host = 'x' where batch = $1 and n = 2", [batch]);
  const runs = await night();
  expect(runs).toHaveLength(3);
  expect(runs[1]?.from_at).toBe(runs[0]?.to_at);
  expect(runs[2]).toMatchObject({ from_at: begin, to_at: begin + 86_400, finding_count: 1 });
  const notices = await db.selectFrom('notice').select(['title', 'content', 'target']).execute();
  expect(notices).toMatchObject([{ title: expect.stringContaining('Audit data verification failed'), target: 'admin' }]);
  expect(notices[0]?.content).toContain(batch);
});

test('a changed masked value, which is in the proofs as a commitment only, is found', async () => {
  const at = service.clock.now();
  await storeAuditRows(service.deps, device, 'a_id', [{ at, acc: 'anna', app: 'WeChat', id: 'wx_anna' }]);
  service.clock.advance(120);
  await sealRound(service.deps);
  const ofRows = async () => (await run(at - 60)).types.filter((type) => type === 'sealed_altered' || type === 'row_altered');
  expect(await ofRows()).toEqual([]);
  await sql("update audit_identity set identity = 'wx_other'");
  expect(await ofRows()).toEqual(['sealed_altered']);
  await sql('update audit_identity set added_commitment = null');
  expect(await ofRows()).toEqual(['row_altered']);
});
