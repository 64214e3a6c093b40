import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { backupCalls as calls } from '@farlink/contract/device/backup.ts';
import { errors } from '@farlink/contract/errors.ts';
import { exportCalls } from '@farlink/contract/export/export.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../../test/api.ts';
import { type FleetApi, startFleetApi } from '../../../../test/fleet-api.ts';
import { unzip } from '../../../../test/setup/unzip.ts';
import { makeBranches } from '../../../../test/world.ts';
import { orderDueBackups } from '../../../domain/backup/backup-job.ts';
import { exportJobs } from '../../../kit/export/export-job.ts';
import { cleanupJobs } from '../../../kit/jobs/cleanup.ts';
import { startJobs } from '../../../kit/jobs/job-runner.ts';
import { backupExports } from './export-backups.ts';

let fleet: FleetApi;
let world: Awaited<ReturnType<typeof makeBranches>>;
let counter = 0;
const folder = mkdtempSync(join(tmpdir(), 'farlink-backup-'));

beforeAll(async () => {
  fleet = await startFleetApi();
  world = await makeBranches(fleet);
});
beforeEach(async () => {
  for (const gateway of fleet.gateways) gateway.stop();
  await expect.poll(() => onlineCount()).toBe(0);
  world = { ...world, east: await fleet.login('east'), west: await fleet.login('west') };
});
afterAll(async () => {
  await fleet.close();
  rmSync(folder, { recursive: true });
});

const onlineCount = async () => (await fleet.db.selectFrom('device').select('id').where('online_state', '=', 1).execute()).length;
const ship = async (link: Gateway['current'] = 'lte') => {
  const made = await fleet.addGateway(world.eastId, `B-${++counter}`);
  made.gateway.current = link;
  return made;
};
const online = async (...ships: readonly { id: number; gateway: Gateway }[]) => {
  const before = await onlineCount();
  for (const { gateway } of ships) expect(await gateway.connect()).toBe(true);
  await expect.poll(() => onlineCount()).toBe(before + ships.length);
};
const backupsOf = (id: number) =>
  fleet.db.selectFrom('device_backup').selectAll().where('device_id', '=', id).orderBy('id', 'desc').execute();
const work = () => startJobs(fleet.deps, { ...cleanupJobs, ...exportJobs(backupExports) }, { pollMs: 0 }).tick();
const fetchFile = async (by: Caller, path: string) => {
  const query = `uid=${by.session?.uid}&agent_id=${by.session?.agent_id}&lang=zh`;
  return fetch(`${fleet.base}/agt/v1/${path}?${query}`, { headers: { authorization: by.session?.token ?? '' } });
};

describe('a backup', () => {
  it('is requested, uploaded by the gateway, listed with size and MD5, and downloaded unchanged', async () => {
    const a = await ship();
    a.gateway.changeLocally('wifi', { ssid: '船员' });
    await online(a);
    const made = await world.east.call(calls.make, { device_ids: [a.id], remark: '出港前' });
    expect(made.data).toMatchObject({ success: 1, fail: 0 });
    await expect.poll(async () => (await backupsOf(a.id)).length).toBe(1);
    const [row] = (await world.east.call(calls.list, { device_id: a.id })).data.list;
    expect(row).toMatchObject({
      sn: a.gateway.sn,
      backup_type: 'manual',
      version: '03.02.01',
      remark: '出港前',
      operator: expect.any(String),
    });
    expect(row?.file_name).toMatch(new RegExp(`^${a.gateway.sn}-\\d{8}-\\d{6}\\.cfg\\.gz$`));
    const file = Buffer.from(await (await fetchFile(world.east, `device_backup/download/${row?.id}`)).arrayBuffer());
    expect([row?.size, row?.md5]).toEqual([file.length, createHash('md5').update(file).digest('hex')]);
    expect(JSON.parse(gunzipSync(file).toString())).toMatchObject({ sn: a.gateway.sn, sections: { wifi: { ssid: '船员' } } });
    const [command] = await fleet.db.selectFrom('device_command').selectAll().where('device_id', '=', a.id).execute();
    await expect
      .poll(
        async () =>
          (
            await fleet.db
              .selectFrom('device_command')
              .select('state')
              .where('id', '=', command?.id ?? '')
              .executeTakeFirst()
          )?.state,
      )
      .toBe(3);
    // A claimed upload is not deleted as abandoned.
    expect(await fleet.db.selectFrom('depot_upload').select('claimed').execute()).toEqual([{ claimed: true }]);
  });

  it('is not visible to another branch', async () => {
    const [row] = await fleet.db.selectFrom('device_backup').select(['id', 'device_id']).execute();
    expect((await world.west.call(calls.list)).data.total).toBe(0);
    expect((await world.west.call(calls.download, { id: row?.id ?? 0 })).code).toBe(errors.not_found.code);
    expect((await world.west.call(calls.export, { ids: [row?.id ?? 0] })).code).toBe(errors.not_found.code);
    expect((await world.west.call(calls.make, { device_ids: [row?.device_id ?? 0] })).data).toMatchObject({ success: 0, fail: 1 });
  });

  it('waits while the gateway is offline or on L-band', async () => {
    const a = await ship('l_band');
    await world.east.call(calls.make, { device_ids: [a.id] });
    await online(a);
    expect(await backupsOf(a.id)).toEqual([]);
    a.gateway.stop();
    await expect.poll(() => onlineCount()).toBe(0);
    a.gateway.current = '6d';
    await online(a);
    await expect.poll(async () => (await backupsOf(a.id)).length).toBe(1);
  });

  it('is deleted with its file when newer backups of the device exceed the limit', async () => {
    const a = await ship();
    await online(a);
    const old = {
      agent_id: world.eastId,
      sn: a.gateway.sn,
      device_name: 'x',
      file_name: 'x',
      backup_type: 'manual',
      size: 1,
      md5: '-',
      sha256: '-',
    } as const;
    for (let i = 0; i < limits.backupsPerDevice; i++)
      await fleet.db
        .insertInto('device_backup')
        .values({ ...old, device_id: a.id, key: `depot/backup/old-${i}`, create_at: i })
        .execute();
    await world.east.call(calls.make, { device_ids: [a.id] });
    await expect
      .poll(async () => (await backupsOf(a.id))[0]?.backup_type === 'manual' && (await backupsOf(a.id))[0]?.key.includes('old'))
      .toBe(false);
    const remaining = await backupsOf(a.id);
    expect(remaining).toHaveLength(limits.backupsPerDevice);
    expect(remaining.map((b) => b.key)).not.toContain('depot/backup/old-0');
    const removal = await fleet.db.selectFrom('job').select('payload').where('kind', '=', 'remove_file').execute();
    expect(JSON.stringify(removal)).toContain('depot/backup/old-0');
  });

  it('is made automatically once a week from gateways that are online and not on L-band', async () => {
    const a = await ship();
    const away = await ship();
    const dear = await ship('l_band');
    await online(a, dear);
    await Promise.all([orderDueBackups(fleet.deps), orderDueBackups(fleet.deps)]);
    await expect.poll(async () => (await backupsOf(a.id)).map((b) => b.backup_type)).toEqual(['auto']);
    const orders = async () =>
      (await fleet.db.selectFrom('backup_order').select('device_id').where('device_id', 'in', [a.id, away.id, dear.id]).execute()).length;
    expect(await orders()).toBe(1);
    fleet.clock.advance(6 * 86_400);
    await orderDueBackups(fleet.deps);
    expect(await orders()).toBe(1);
    fleet.clock.advance(86_400);
    await orderDueBackups(fleet.deps);
    expect(await orders()).toBe(2);
  });

  it('is exported with others as a ZIP file that contains a list of the backups', async () => {
    const a = await ship();
    const b = await ship();
    await online(a, b);
    await world.east.call(calls.make, { device_ids: [a.id, b.id] });
    await expect.poll(async () => (await backupsOf(a.id)).length + (await backupsOf(b.id)).length).toBe(2);
    const rows = [...(await backupsOf(a.id)), ...(await backupsOf(b.id))];
    const requested = await world.east.call(calls.export, { ids: rows.map((r) => r.id) });
    expect(requested.code, JSON.stringify(requested)).toBe(0);
    await work();
    const [job] = (await world.east.call(calls.exports)).data.list;
    expect(job).toMatchObject({
      job_id: String(requested.data.job_id),
      status: 1,
      total: 2,
      file_url: `export/download/${requested.data.job_id}`,
    });
    const reply = await fetchFile(world.east, job?.file_url ?? '');
    expect(reply.headers.get('content-type')).toBe('application/zip');
    const path = join(folder, 'a.zip');
    writeFileSync(path, Buffer.from(await reply.arrayBuffer()));
    const files = unzip(path);
    expect(Object.keys(files).sort()).toEqual([...rows.map((r) => r.file_name), '备份清单.csv'].sort());
    for (const row of rows) expect(files['备份清单.csv']).toContain(`${row.sn},${row.file_name},手动备份`);
    expect((await world.west.call(calls.exports)).data.total).toBe(0);
    expect((await world.west.call(exportCalls.download, { id: requested.data.id })).code).toBe(errors.not_found.code);
  });
});
