import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditAccessLogCalls } from '@farlink/contract/audit/audit-access-log.ts';
import { auditHoldCalls as calls } from '@farlink/contract/audit/audit-hold.ts';
import { errors } from '@farlink/contract/errors.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, startApi } from '../../../test/api.ts';
import { makeAuditShip, maskedSamples, sealedSamples } from '../../../test/audit-rows.ts';
import { unzip } from '../../../test/setup/unzip.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { dropAudit } from '../../domain/audit/retention.ts';
import { sealRound } from '../../domain/audit/seal-job.ts';
import { exportJobs } from '../../kit/export/export-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { auditExports } from './export-audit.ts';

const script = fileURLToPath(new URL('../../../../scripts/verify.mjs', import.meta.url));
const reason = '法院调取证据 42';
let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let hold: number;

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  await makeAuditShip(api, { agentId: world.eastId, sn: 'EAST1', account: 'Anna' });
  api.clock.advance(120);
  await sealRound(api.deps);
  const made = await world.east.call(calls.create, { account: 'anna', from_at: 1, reason: '法院冻结' });
  hold = made.data.id;
});
afterAll(() => api.close());

const archive = async (by: Caller, content: 'masked' | 'clear' = 'masked') => {
  const started = await by.call(calls.export, { id: hold, content, reason });
  expect(started.code).toBe(0);
  const jobs = startJobs(api.deps, exportJobs(auditExports), { pollMs: 0 });
  await jobs.tick();
  await jobs.stop();
  const url = `${api.base}/agt/v1/export/download/${started.data.id}`;
  const file = await fetch(url, { headers: { authorization: by.session?.token ?? '' } });
  const path = join(api.deps.config.dataDir, `hold-${started.data.id}.zip`);
  writeFileSync(path, Buffer.from(await file.arrayBuffer()));
  const files = await unzip(path);
  const rows = (files['rows.jsonl'] ?? '').trim().split('\n');
  return { path, files, kinds: rows.map((line) => String(JSON.parse(line).kind)).toSorted(), text: rows.join('\n') };
};
const allKinds = ['auth', 'forum', 'identity', 'mail', 'terminal', 'url'];

it('a legal hold is exported with proofs, before and after its weekly partitions are dropped', { tags: 'all' }, async () => {
  const before = await archive(world.east);
  expect([...new Set(before.kinds)]).toEqual(allKinds);
  // Later than the retention, while the sessions stay valid.
  await dropAudit({ ...api.deps, clock: { now: () => api.clock.now() + 220 * 86_400 } });
  const { rows } = await api.deps.pool.query<{ n: number }>('select count(*)::int as n from audit_mail');
  expect(rows[0]?.n).toBe(0);
  const after = await archive(world.east);
  expect(after.kinds).toEqual(before.kinds);
  for (const { path } of [before, after]) expect(execFileSync(process.execPath, [script, path], { encoding: 'utf8' })).toContain('OK');
  for (const secret of [...Object.values(sealedSamples), ...Object.values(maskedSamples)]) expect(after.text).not.toContain(secret);
});

it('an export in clear contains the sealed values, and the access log records each kind with the reason', async () => {
  const { text, path } = await archive(world.east, 'clear');
  for (const secret of [sealedSamples.sender, sealedSamples.title, maskedSamples.identity]) expect(text).toContain(secret);
  expect(execFileSync(process.execPath, [script, path], { encoding: 'utf8' })).toContain('OK');
  const accesses = await world.east.call(auditAccessLogCalls.list, { action: 'export_clear', limit: 100 });
  expect(accesses.data.list.map(({ page_key }) => page_key).toSorted()).toHaveLength(allKinds.length);
  expect(new Set(accesses.data.list.map((access) => access.reason))).toEqual(new Set([reason]));
});

it('staff can export only permitted kinds, masked without the right to reveal; another VNO cannot export', async () => {
  await makeStaff(world.east, 'holder', await makeRole(world.east, 'holder', grantsOf(['audit_hold', 'network_url'])));
  const holder = await api.login('holder');
  expect(new Set((await archive(holder)).kinds)).toEqual(new Set(['url']));
  expect(fieldsOf(await holder.call(calls.export, { id: hold, content: 'clear', reason }))).toHaveProperty('content');
  expect(fieldsOf(await holder.call(calls.export, { id: hold, content: 'masked', reason: 'x' }))).toHaveProperty('reason');
  await makeStaff(world.east, 'only', await makeRole(world.east, 'only', grantsOf(['audit_hold'])));
  expect((await (await api.login('only')).call(calls.export, { id: hold, reason })).code).toBe(errors.denied.code);
  expect((await world.west.call(calls.export, { id: hold, reason })).code).toBe(errors.not_found.code);
});

it('a released hold cannot be exported', async () => {
  await world.east.call(calls.release, { id: hold, reason: '法院解除' });
  expect((await world.east.call(calls.export, { id: hold, reason })).code).toBe(errors.audit_hold_released.code);
});
