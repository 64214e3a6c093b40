import { auditEvidenceCalls as calls } from '@farlink/contract/audit/audit-evidence.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { addAuditDevice, backUpAudit, storeAuditRows, urlRows } from '../../../test/audit.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { sealRound } from '../../domain/audit/seal-job.ts';
import { verifyJobs } from '../../domain/audit/verify-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';

let api: Api;
let admin: Caller;
let east: Caller;
let device: number;
beforeAll(async () => {
  api = await startApi();
  ({ admin, east } = await makeBranches(api));
  device = await addAuditDevice(api.deps, 1, 'GW1');
});
afterAll(() => api?.close());

const round = async () => {
  await storeAuditRows(api.deps, device, 'a_url', urlRows(3, api.clock.now()));
  api.clock.advance(60);
  return sealRound(api.deps);
};
/** Without the plan of the night. */
const { plan_audit_verification: _, ...runJobs } = verifyJobs;
const work = async () => {
  const runner = startJobs(api.deps, runJobs, { pollMs: 0 });
  await runner.tick();
  await runner.stop();
};
const range = () => ({ from_at: api.clock.now() - 86_400, to_at: api.clock.now() + 60 });

test('the status shows size, checkpoint, public key and the number of unsealed batches', async () => {
  expect((await admin.call(calls.status)).data).toMatchObject({ size: 0, checkpoint: '', unsealed: 0, stopped: null, bucket: 'off' });
  const log = await round();
  await storeAuditRows(api.deps, device, 'a_url', urlRows(3, api.clock.now()));
  api.clock.advance(90);
  const { data } = await admin.call(calls.status);
  expect(data).toMatchObject({ size: 2, checkpoint: log.checkpoint, unsealed: 1, last_seal_at: log.signed_at, verified_to: null });
  expect(data.lag_s).toBeGreaterThanOrEqual(60);
  expect(data.public_key).toMatch(new RegExp(`^${log.origin}\\+[0-9a-f]{8}\\+`));
  expect(JSON.stringify(data)).not.toContain(log.private_key);
});

test('a verification reports an altered row with its batch in both languages, and is in the operator log', async () => {
  await round();
  const { rows } = await api.deps.pool.query(
    "update audit_url set host = 'x' where id = (select id from audit_url where n = 1 order by id limit 1) returning batch",
  );
  const { data } = await admin.call(calls.verify, range());
  expect(await admin.call(calls.verify, range())).toMatchObject({ code: 21_812 });
  await work();
  const { list } = (await admin.call(calls.list)).data;
  expect(list).toMatchObject([{ id: data.id, state: 'done', progress: 100, finding_count: 1, cause: 'manual', row_count: 9 }]);
  const findings = (await admin.call(calls.findings, { verification_id: data.id })).data;
  expect(findings).toMatchObject([{ type: 'row_altered' }]);
  for (const text of findings[0]?.text ?? []) expect(text).toContain(rows[0].batch);
  const logged = await api.db.selectFrom('syslog').selectAll().where('subject', '=', `audit_verification:${data.id}`).execute();
  expect(JSON.stringify(logged)).toContain('Started verification of audit data');
});

test('a range that ends before it begins is refused at its field', async () => {
  const now = api.clock.now();
  expect(await admin.call(calls.verify, { from_at: now, to_at: now - 86_400 })).toMatchObject({
    code: 10_001,
    data: { fields: { to_at: expect.anything() } },
  });
});

test('a fork is accepted only while sealing is stopped, and requires a reason', async () => {
  expect(await admin.call(calls.fork, { reason: 'restored from a backup' })).toMatchObject({ code: 21_811 });
  const restore = await backUpAudit(api.deps, 'b');
  await round();
  await restore();
  await round();
  const stopped = (await admin.call(calls.status, {}, { lang: 'en' })).data;
  expect(stopped.stopped?.[1]).toContain('shorter than the checkpoint');
  expect(await admin.call(calls.fork, { reason: ' ' })).toMatchObject({ code: 10_001, data: { fields: { reason: expect.anything() } } });
  expect(await admin.call(calls.fork, { reason: 'restored from a backup' })).toMatchObject({ code: 0 });
  await round();
  expect((await admin.call(calls.status)).data).toMatchObject({
    stopped: null,
    unsealed: 0,
    forks: [{ reason: 'restored from a backup' }],
  });
});

test('VNOs and staff without the page are refused; staff with show-only rights cannot verify or fork', async () => {
  const without = await makeRole(admin, 'Without', grantsOf(['system_log']));
  await makeStaff(admin, 'clerk', without);
  const looking = await makeRole(admin, 'Looking', { audit_evidence: '10', 'get_audit/evidence': '10', 'get_audit/verify': '10' });
  await makeStaff(admin, 'looker', looking);
  const clerk = await api.login('clerk');
  const looker = await api.login('looker');
  for (const caller of [east, clerk]) {
    expect((await caller.call(calls.status)).code).toBe(10_006);
    expect((await caller.call(calls.list)).code).toBe(10_006);
    expect((await caller.call(calls.findings, { verification_id: 1 })).code).toBe(10_006);
    expect((await caller.call(calls.verify, range())).code).toBe(10_006);
    expect((await caller.call(calls.fork, { reason: 'a reason' })).code).toBe(10_006);
  }
  expect((await looker.call(calls.status)).code).toBe(0);
  expect((await looker.call(calls.verify, range())).code).toBe(10_006);
  expect((await looker.call(calls.fork, { reason: 'a reason' })).code).toBe(10_006);
});
