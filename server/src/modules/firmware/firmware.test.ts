import { createHash } from 'node:crypto';
import { errors } from '@farlink/contract/errors.ts';
import { firmwareLogCalls } from '@farlink/contract/firmware/download-log.ts';
import { firmwareCalls as calls } from '@farlink/contract/firmware/firmware.ts';
import { upgradeCalls } from '@farlink/contract/firmware/upgrade.ts';
import { uploads } from '@farlink/contract/rules.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, allPages, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { addDevice, image, mustUpload, upload } from '../../../test/firmware/fixture.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { latestVersion } from '../../domain/firmware/latest-version.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
});
afterAll(() => api?.close());

const versionsOf = async (by: Caller, more: Record<string, unknown> = {}) => {
  const { code, data } = await by.call(calls.list, { limit: 100, orderby: 'version asc', ...more });
  expect(code).toBe(0);
  return data.list.map((row) => row.version);
};
const latestOf = async (id: number) =>
  (await api.db.selectFrom('device').select(latestVersion().as('latest')).where('id', '=', id).executeTakeFirstOrThrow()).latest;

describe('a firmware upload', () => {
  it('stores the file with its size and hash, and the version with two digits in each component', async () => {
    const content = image('a');
    const id = await mustUpload(
      api,
      world.admin,
      { version: '1.2.3', model: 'FG-A,FG-B', release_desc: '首发' },
      content,
      '网关 v1.tar.gz',
    );
    const { data } = await world.admin.call(calls.read, { id });
    expect(data).toMatchObject({
      version: '01.02.03',
      model: ['FG-A', 'FG-B'],
      file_name: '网关 v1.tar.gz',
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      release_desc: '首发',
      display_rule: 'all',
      download_count: 0,
    });
    const log = await api.db
      .selectFrom('syslog')
      .selectAll()
      .where('module', '=', 'firmware')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(log).toMatchObject({ action: 'create', result: 'success', content_zh: '上传固件 01.02.03' });
  });

  it('is refused if the content does not match the extension, or the extension is not allowed for firmware', async () => {
    for (const [content, name] of [
      [Buffer.from('just a text'), 'fg.bin'],
      [Buffer.from('just a text'), 'fg.tar.gz'],
      [Buffer.from('PK no zip'), 'fg.zip'],
      [image('x'), 'fg.exe'],
      [Buffer.alloc(0), 'fg.img'],
    ] as const) {
      const reply = await upload(api, world.admin, { version: '1.9.9' }, content, name);
      expect(reply, name).toMatchObject({ code: errors.wrong_media.code, data: { fields: { file: uploads.firmware.text[0] } } });
    }
    expect((await upload(api, world.admin, { version: '1.9.9' }, Buffer.from('2705195600000000', 'hex'), 'fg.bin')).code).toBe(0);
  });

  it('is refused without a file, with an invalid version or model, and without the required VNOs', async () => {
    const plain = await world.admin.call(calls.create, { version: '1.1.1', model: ['M'], remark: 'x', display_rule: 'all', file: 'x' });
    expect(plain.data).toEqual({ fields: { file: uploads.firmware.text[0] } });
    expect((await upload(api, world.admin, { version: '1.2' })).data).toHaveProperty('fields.version');
    expect((await upload(api, world.admin, { version: '100.0.0' })).data).toHaveProperty('fields.version');
    expect((await upload(api, world.admin, { version: '1.1.1', model: '<b>' })).data).toHaveProperty('fields.model');
    expect((await upload(api, world.admin, { version: '1.1.1', display_rule: 'vno' })).data).toHaveProperty('fields.vno_ids');
  });

  it('is refused if the model already has this version, even in another notation', async () => {
    await mustUpload(api, world.admin, { version: '2.0.0', model: 'FG-X,FG-Y' });
    const again = await upload(api, world.admin, { version: '02.00.00', model: 'FG-Y,FG-Z' });
    expect(again).toMatchObject({ code: errors.duplicate.code, data: { fields: { version: '版本号已存在' } } });
    await mustUpload(api, world.admin, { version: '2.0.0', model: 'FG-Z' });
    // A refused upload leaves no orphan file: its removal job stays scheduled.
    const waiting = await api.db.selectFrom('job').select('id').where('kind', '=', 'remove_file').where('state', '=', 'waiting').execute();
    expect(waiting).toHaveLength(1);
  });

  it('is allowed only on the platform, and not to a view-only role', async () => {
    expect((await upload(api, world.east, { version: '1.1.1' })).code).toBe(errors.denied.code);
    const role = await makeRole(world.admin, 'viewer', grantsOf(allPages, '10'));
    await makeStaff(world.admin, 'fw_viewer', role);
    expect((await upload(api, await api.login('fw_viewer'), { version: '1.1.1' })).code).toBe(errors.denied.code);
  });
});

describe('a firmware edit', () => {
  it('saves changes, and refuses a stale form and an unchanged form', async () => {
    const id = await mustUpload(api, world.admin, { version: '3.0.0', model: 'E-1' });
    const form = { id, version: '03.00.00', model: ['E-1', 'E-2'], remark: '新说明', display_rule: 'all', revision: 1 };
    expect((await world.admin.call(calls.update, { ...form })).code).toBe(0);
    expect((await world.admin.call(calls.update, { ...form })).code).toBe(errors.stale.code);
    expect((await world.admin.call(calls.update, { ...form, revision: 2 })).code).toBe(errors.unchanged.code);
    const { data } = await world.admin.call(calls.read, { id });
    expect(data).toMatchObject({ model: ['E-1', 'E-2'], remark: '新说明', revision: 2 });
    expect((await upload(api, world.admin, { version: '3.0.0', model: 'E-2' })).code).toBe(errors.duplicate.code);
  });

  it('and a deletion are denied to a VNO that sees the version, and "not found" for one that does not', async () => {
    const id = await mustUpload(api, world.admin, { version: '3.1.0', model: 'E-1', display_rule: 'vno', vno_ids: world.eastId });
    const form = { id, model: ['E-1'], remark: 'x', display_rule: 'all', revision: 1 };
    expect((await world.east.call(calls.update, form)).code).toBe(errors.denied.code);
    expect((await world.east.call(calls.remove, { id })).code).toBe(errors.denied.code);
    expect((await world.west.call(calls.update, form)).code).toBe(errors.not_found.code);
    expect((await world.west.call(calls.remove, { id })).code).toBe(errors.not_found.code);
  });

  it('refuses a VNO or a device that does not exist', async () => {
    const id = await mustUpload(api, world.admin, { version: '3.2.0', model: 'E-1' });
    const form = { id, model: ['E-1'], remark: 'x', revision: 1 };
    const vno = await world.admin.call(calls.update, { ...form, display_rule: 'vno', vno_ids: [999_999] });
    expect(vno.data).toEqual({ fields: { vno_ids: '请选择有效的数据' } });
    const device = await world.admin.call(calls.update, { ...form, display_rule: 'device', device_ids: [999_999] });
    expect(device.data).toEqual({ fields: { device_ids: '请选择有效的数据' } });
  });
});

describe('firmware visibility', () => {
  const model = 'V-1';
  let eastDevice: number;
  let westDevice: number;
  let childDevice: number;

  beforeAll(async () => {
    eastDevice = (await addDevice(api, world.eastId, { model })).id;
    westDevice = (await addDevice(api, world.westId, { model })).id;
    childDevice = (await addDevice(api, world.childId, { model })).id;
    await mustUpload(api, world.admin, { version: '4.0.0', model });
    await mustUpload(api, world.admin, { version: '4.1.0', model, display_rule: 'vno', vno_ids: world.eastId });
    await mustUpload(api, world.admin, { version: '4.2.0', model, display_rule: 'vno', vno_ids: world.childId });
    await mustUpload(api, world.admin, { version: '4.3.0', model, display_rule: 'device', device_ids: westDevice });
    await mustUpload(api, world.admin, { version: '4.4.0', model: 'V-2', display_rule: 'vno', vno_ids: `${world.eastId},${world.westId}` });
  });

  it('includes the selected VNO, the VNOs below it and the VNOs above it', async () => {
    const of = (by: Caller) => versionsOf(by, { model: 'V-' });
    expect(await of(world.admin)).toEqual(['04.00.00', '04.01.00', '04.02.00', '04.03.00', '04.04.00']);
    expect(await of(world.east)).toEqual(['04.00.00', '04.01.00', '04.02.00', '04.04.00']);
    expect(await of(world.child)).toEqual(['04.00.00', '04.01.00', '04.02.00', '04.04.00']);
    expect(await of(world.west)).toEqual(['04.00.00', '04.03.00', '04.04.00']);
  });

  it('hides targets of other branches in the list and in the VNO filter', async () => {
    const targets = async (by: Caller, version: string) =>
      (await by.call(calls.list, { version, limit: 100 })).data.list.map((row) => row.display_targets)[0];
    expect(await targets(world.admin, '04.04')).toEqual(['VNO east', 'VNO west']);
    expect(await targets(world.west, '04.04')).toEqual(['VNO west']);
    // A VNO that sees a version through a VNO above it sees its own name as the target.
    expect(await targets(world.child, '04.01')).toEqual(['VNO child']);
    expect(await versionsOf(world.west, { vno_id: world.eastId })).toEqual([]);
    expect(await versionsOf(world.east, { vno_id: world.childId, model: 'V-1' })).toEqual(['04.00.00', '04.01.00', '04.02.00']);
    expect(await versionsOf(world.admin, { vno_id: world.westId, model: 'V-' })).toEqual(['04.00.00', '04.04.00']);
  });

  it('determines the latest version of a device by its own targets, its VNO and the VNOs above', async () => {
    expect(await latestOf(eastDevice)).toBe('04.01.00');
    expect(await latestOf(childDevice)).toBe('04.02.00');
    expect(await latestOf(westDevice)).toBe('04.03.00');
    const stranger = await addDevice(api, world.westId, { model: 'V-0' });
    expect(await latestOf(stranger.id)).toBeNull();
    const nameless = await addDevice(api, world.westId, { model: null });
    expect(await latestOf(nameless.id)).toBeNull();
  });

  it('applies to upgrade options, details and downloads', async () => {
    const { data } = await world.admin.call(calls.list, { version: '04.01', limit: 1 });
    const id = data.list[0]?.id ?? 0;
    expect((await world.child.call(calls.read, { id })).code).toBe(0);
    expect((await world.child.call(calls.download, { id })).code).toBe(0);
    for (const call of [calls.read, calls.download]) expect((await world.west.call(call, { id })).code).toBe(errors.not_found.code);
    const options = async (by: Caller, ids: number[]) => Object.keys((await by.call(upgradeCalls.option, { ids: ids.join(',') })).data);
    await api.db.updateTable('device').set({ version: '03.00.00' }).where('model', '=', model).execute();
    expect(await options(world.west, [westDevice])).toEqual(['04.03.00', '04.00.00']);
    expect(await options(world.east, [eastDevice])).toEqual(['04.01.00', '04.00.00']);
    // The option shows if a version fits only some devices. With a device out of scope there are no options.
    const mixed = (await world.east.call(upgradeCalls.option, { ids: `${eastDevice},${childDevice}` })).data;
    expect(Object.keys(mixed)).toEqual(['04.02.00', '04.01.00', '04.00.00']);
    expect(mixed['04.02.00']).toContain('适用 1/2 台');
    expect(mixed['04.00.00']).not.toContain('适用');
    expect(await options(world.east, [eastDevice, westDevice])).toEqual([]);
  });

  it('depends on the devices of an account that is limited to a device list', async () => {
    const role = await makeRole(world.west, 'one ship', grantsOf(allPages), {
      scope: 'device',
      device_limit: 'specified',
      device_ids: [westDevice],
    });
    await makeStaff(world.west, 'one_ship', role);
    const bound = await api.login('one_ship');
    expect(await versionsOf(bound, { model: 'V-' })).toEqual(['04.00.00', '04.03.00', '04.04.00']);
    const other = await addDevice(api, world.westId, { model });
    const otherRole = await makeRole(world.west, 'another', grantsOf(allPages), {
      scope: 'device',
      device_limit: 'specified',
      device_ids: [other.id],
    });
    await makeStaff(world.west, 'other_ship', otherRole);
    expect(await versionsOf(await api.login('other_ship'), { model: 'V-1' })).toEqual(['04.00.00']);
  });
});

describe('the firmware list', () => {
  it('filters by model, display rule and download count, and sorts by version number', async () => {
    for (const version of ['9.9.9', '10.0.0', '10.0.10']) await mustUpload(api, world.admin, { version, model: 'Sorted' });
    expect(await versionsOf(world.admin, { model: 'sort' })).toEqual(['09.09.09', '10.00.00', '10.00.10']);
    expect(await versionsOf(world.admin, { model: 'sorted', orderby: 'version desc' })).toEqual(['10.00.10', '10.00.00', '09.09.09']);
    expect(await versionsOf(world.admin, { model: 'sorted', display_rule: 'vno' })).toEqual([]);
    expect(await versionsOf(world.admin, { model: 'sorted', download_count: 0, cond_download_count: 'gt' })).toEqual([]);
  });

  it('offers the models of the devices and firmware that the session can see', async () => {
    const models = async (by: Caller) => Object.keys((await by.call(calls.models)).data);
    expect(await models(world.admin)).toEqual(expect.arrayContaining(['FG-A', 'V-1', 'V-2', 'Sorted']));
    await mustUpload(api, world.admin, { version: '5.0.0', model: 'Secret', display_rule: 'vno', vno_ids: world.eastId });
    expect(await models(world.east)).toContain('Secret');
    expect(await models(world.west)).not.toContain('Secret');
  });
});

describe('a firmware download', () => {
  const fetchFile = (by: Caller, id: number, signal?: AbortSignal) => {
    const query = new URLSearchParams({ lang: 'zh', uid: String(by.session?.uid), agent_id: String(by.session?.agent_id) });
    return fetch(`${api.base}/agt/v1/firmware/download/${id}?${query}`, {
      headers: { authorization: by.session?.token ?? '' },
      ...(signal && { signal }),
    });
  };
  const logsOf = async (by: Caller, version: string) => (await by.call(firmwareLogCalls.list, { version, limit: 100 })).data.list;

  it('returns the unchanged file and is logged for the VNO that downloaded it', async () => {
    const content = image('d');
    const id = await mustUpload(api, world.admin, { version: '6.0.0', model: 'D-2,D-1' }, content, '固件.tar.gz');
    const response = await fetchFile(world.child, id);
    expect(response.headers.get('content-disposition')).toContain("filename*=UTF-8''%E5%9B%BA");
    expect(Buffer.from(await response.arrayBuffer())).toEqual(content);
    await expect
      .poll(() => logsOf(world.child, '06.00.00'))
      .toMatchObject([
        { version: '06.00.00', model: 'D-1, D-2', file_name: '固件.tar.gz', agent_name: 'VNO child', ip: '127.0.0.1', result: 'success' },
      ]);
    expect(await logsOf(world.east, '06.00.00')).toHaveLength(1);
    expect(await logsOf(world.west, '06.00.00')).toEqual([]);
    expect((await world.admin.call(calls.read, { id })).data.download_count).toBe(1);
    const filtered = await world.admin.call(firmwareLogCalls.list, { result: 'success', model: 'D-1', vno_id: world.childId });
    expect(filtered.data.total).toBe(1);
  });

  it('is logged as failed if the file is missing or the client disconnects', async () => {
    const id = await mustUpload(api, world.admin, { version: '6.1.0', model: 'D-1' });
    const { file_key } = await api.db.selectFrom('firmware').select('file_key').where('id', '=', id).executeTakeFirstOrThrow();
    await openFileStore(api.deps.config).remove(file_key);
    expect((await world.admin.call(calls.download, { id })).code).toBe(errors.not_found.code);
    expect(await logsOf(world.admin, '06.01.00')).toMatchObject([{ result: 'fail' }]);

    const big = await mustUpload(
      api,
      world.admin,
      { version: '6.2.0', model: 'D-1' },
      Buffer.concat([Buffer.from('27051956', 'hex'), Buffer.alloc(30_000_000)]),
      'big.bin',
    );
    const abort = new AbortController();
    const response = await fetchFile(world.admin, big, abort.signal);
    await response.body?.getReader().read();
    abort.abort();
    await expect.poll(() => logsOf(world.admin, '06.02.00')).toMatchObject([{ result: 'fail' }]);
    expect((await world.admin.call(calls.read, { id: big })).data.download_count).toBe(0);
  });
});

describe('a firmware deletion', () => {
  it('schedules the removal of the file, keeps the download log, and allows the same version again', async () => {
    const id = await mustUpload(api, world.admin, { version: '7.0.0', model: 'X-1' });
    await world.admin.call(calls.download, { id });
    expect((await world.admin.call(calls.remove, { id })).code).toBe(0);
    expect((await world.admin.call(calls.read, { id })).code).toBe(errors.not_found.code);
    const { total } = (await world.admin.call(firmwareLogCalls.list, { version: '07.00.00' })).data;
    expect(total).toBe(1);
    const job = await api.db
      .selectFrom('job')
      .select('payload')
      .where('kind', '=', 'remove_file')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(job.payload)).toContain('firmware/');
    // The same version can be uploaded again.
    await mustUpload(api, world.admin, { version: '7.0.0', model: 'X-1' });
  });
});
