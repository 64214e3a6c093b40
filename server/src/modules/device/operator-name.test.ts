import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configCalls } from '@farlink/contract/config/config.ts';
import { runCalls } from '@farlink/contract/config/run.ts';
import { backupCalls } from '@farlink/contract/device/backup.ts';
import { deviceDetailCalls } from '@farlink/contract/device/device-detail.ts';
import { factoryDocs } from '@farlink/gateway/kit/config.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { allPages, type Caller, grantsOf } from '../../../test/api.ts';
import { type FleetApi, startFleetApi } from '../../../test/fleet-api.ts';
import { gates, openGates } from '../../../test/gates.ts';
import { patience } from '../../../test/patience.ts';
import { unzip } from '../../../test/setup/unzip.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { exportJobs } from '../../kit/export/export-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { backupExports } from './backup/export-backups.ts';

const name = '周海宁';
const username = 'east_zhou';
const remark = '进港前备份';
const hidden = new RegExp([name, username, remark].join('|'));
const above = '上级运营商';
const page = 'advanced_syslog';
const folder = mkdtempSync(join(tmpdir(), 'farlink-operator-'));

let api: FleetApi;
let device_id: number;
let runId: number;
let [admin, east, child]: Caller[] = [];

/** An operator of a VNO works on a device of the child VNO: draft, apply, run of an action, backup. */
const workAs = async (by: Caller) => {
  const doc = { ...factoryDocs.get(page), local_size: 128 };
  for (const reply of [
    await by.call(configCalls.draft, { device_id, page, base_rev: 0, doc }),
    await by.call(configCalls.apply, { device_id, pages: [page], keep: 0 }),
    await by.call(configCalls.draft, { device_id, page, base_rev: 1, doc: { ...doc, local_size: 256 } }),
    await by.call(backupCalls.make, { device_ids: [device_id], remark }),
  ])
    expect(reply.code, JSON.stringify(reply)).toBe(0);
  const run = await by.call(runCalls.run, { device_id, page: 'diagnosis_ping', args: { host: '10.0.0.1' } });
  expect(run.code, JSON.stringify(run)).toBe(0);
  return run.data.id;
};

beforeAll(async () => {
  api = await startFleetApi();
  const world = await makeBranches(api);
  await openGates(api);
  [admin, east, child] = [world.admin, await api.login('east'), await api.login('child')];
  const role = await makeRole(east, 'Engineers', grantsOf(allPages), { gateway_permissions: gates });
  await makeStaff(east, username, role, { name });
  const made = await api.addGateway(world.childId, 'NAMES1');
  device_id = made.id;
  expect(await made.gateway.connect()).toBe(true);
  runId = await workAs(await api.login(username));
  const backups = () => api.db.selectFrom('device_backup').select('id').where('device_id', '=', device_id).execute();
  await vi.waitFor(async () => expect(await backups()).toHaveLength(1), patience);
});
afterAll(async () => {
  await api?.close();
  rmSync(folder, { recursive: true });
});

/** Everything that a reader sees of the work, by call. */
const seenBy = async (reader: Caller | undefined) => {
  if (!reader) throw new Error('not logged in');
  const list = { page: 1, limit: 10 };
  const stale = { device_id, page, base_rev: 0, doc: { ...factoryDocs.get(page), local_size: 512 } };
  expect((await reader.call(configCalls.draft, stale)).code).toBe(0);
  const replies = {
    applies: await reader.call(configCalls.applies, { ...list, device_id }),
    revisions: await reader.call(configCalls.revisions, { ...list, device_id, section: page }),
    page: await reader.call(configCalls.page, { device_id, page }),
    tree: await reader.call(configCalls.tree, { device_id }),
    conflict: await reader.call(configCalls.apply, { device_id, pages: [page], keep: 0 }),
    commands: await reader.call(deviceDetailCalls.commands, { ...list, id: device_id }),
    log: await reader.call(deviceDetailCalls.log, { ...list, id: device_id }),
    runs: await reader.call(runCalls.runs, { ...list, device_id, section: 'diagnosis_ping' }),
    run: await reader.call(runCalls.read, { id: runId }),
    backups: await reader.call(backupCalls.list, { ...list, device_id }),
  };
  return Object.fromEntries(Object.entries(replies).map(([call, reply]) => [call, JSON.stringify([reply.msg, reply.data])]));
};

const exportedTo = async (reader: Caller | undefined) => {
  if (!reader?.session) throw new Error('not logged in');
  const { uid, agent_id, token } = reader.session;
  const { id } = await api.db.selectFrom('device_backup').select('id').where('device_id', '=', device_id).executeTakeFirstOrThrow();
  const { data } = await reader.call(backupCalls.export, { ids: [id] });
  await startJobs(api.deps, exportJobs(backupExports), { pollMs: 0 }).tick();
  const url = `${api.base}/agt/v1/export/download/${data.job_id}?uid=${uid}&agent_id=${agent_id}&lang=zh`;
  const reply = await fetch(url, { headers: { authorization: token } });
  const path = join(folder, `${data.job_id}.zip`);
  writeFileSync(path, Buffer.from(await reply.arrayBuffer()));
  return unzip(path)['备份清单.csv'];
};

describe('the operator of a VNO', () => {
  it('is not named to a VNO below, in any list, detail, refusal or export', async () => {
    const seen = await seenBy(child);
    for (const [call, text] of Object.entries(seen)) expect(text, call).not.toMatch(hidden);
    for (const [call, text] of Object.entries(seen)) expect(text, call).toContain(above);
    expect(seen.conflict).toContain(`已被${above}修改`);
    const file = await exportedTo(child);
    expect(file).toContain(above);
    expect(file).not.toMatch(hidden);
  });

  it('is named to its own VNO and to the platform', async () => {
    for (const reader of [east, admin]) {
      const seen = await seenBy(reader);
      for (const [call, text] of Object.entries(seen)) expect(text, call).toContain(name);
      expect(seen.backups).toContain(remark);
      expect(await exportedTo(reader)).toContain(remark);
    }
  });

  it('is found by the account in rows without the VNO of the operator, and by the name in rows without both', async () => {
    await api.db.updateTable('device_command').set({ operator_agent_id: null }).where('device_id', '=', device_id).execute();
    await api.db.updateTable('config_apply').set({ operator_agent_id: null }).where('device_id', '=', device_id).execute();
    const below = await seenBy(child);
    const own = await seenBy(east);
    for (const call of ['applies', 'revisions', 'commands', 'runs', 'run']) {
      expect(below[call], call).not.toMatch(hidden);
      expect(own[call], call).toContain(name);
    }
    await api.db.updateTable('device_backup').set({ operator_agent_id: null }).where('device_id', '=', device_id).execute();
    expect((await seenBy(child)).backups).toContain(above);
    expect((await seenBy(east)).backups).toContain(name);
    expect((await seenBy(admin)).backups).toContain(name);
  });
});
