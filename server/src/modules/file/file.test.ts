import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { errors } from '@farlink/contract/errors.ts';
import { fileCalls } from '@farlink/contract/file/file.ts';
import { fileTaskCalls } from '@farlink/contract/file/file-log.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { limits } from '@farlink/contract/limits.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { type Api, type Caller, grantsOf, type Reply, readReply, startApi } from '../../../test/api.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { cleanupJobs } from '../../kit/jobs/cleanup.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { uploadJobs } from './sweep-uploads.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let ship: number;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  ship = await addDevice(world.eastId, 'E-1');
});
afterAll(() => api.close());

const addDevice = async (agent_id: number, sn: string, more: object = {}) =>
  (
    await api.db
      .insertInto('device')
      .values({ agent_id, name: `船 ${sn}`, sn, create_at: 1, ...more })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

/** A multipart form with a file, as a browser sends it. */
const sendForm = async <T>(
  by: Caller,
  call: Endpoint,
  values: Record<string, string | number | Blob>,
  name = 'a.conf',
): Promise<Reply<T>> => {
  const form = new FormData();
  const { id, ...rest } = values;
  const all: typeof values = { lang: 'zh', uid: by.session?.uid ?? 0, agent_id: by.session?.agent_id ?? 0, ...rest };
  for (const [key, value] of Object.entries(all))
    if (value instanceof Blob) form.append(key, value, name);
    else form.append(key, String(value));
  const path = call.path.replace('{id}', String(id));
  return readReply<T>(
    await fetch(`${api.base}/agt/v1/${path}`, { method: call.method, body: form, headers: { authorization: by.session?.token ?? '' } }),
  );
};

const blobOf = (content: string | Buffer) => new Blob([typeof content === 'string' ? content : new Uint8Array(content)]);
const upload = (by: Caller, content: string | Buffer, name = 'a.conf', more: Record<string, string> = {}) =>
  sendForm<{ id: number }>(by, fileCalls.create, { batch: 'B-1', name: '船舶配置', type: 'config', ...more, file: blobOf(content) }, name);

const zipOf = (size: number) => {
  const zip = new ZipFile();
  zip.addBuffer(randomBytes(size), 'index.html', { compress: false, mtime: new Date(0) });
  zip.end();
  return buffer(zip.outputStream);
};

const tar = Buffer.alloc(1024);
tar.write('layer', 0);
tar.write(`${(0x6c + 0x61 + 0x79 + 0x65 + 0x72 + 8 * 0x20).toString(8).padStart(6, '0')}\0 `, 148);

describe('a file', () => {
  it('is uploaded, listed, changed with a version check, downloaded unchanged and deleted', async () => {
    const made = await upload(world.east, 'wan=6d\n', '船 a.conf', { remark: '首次', describe: '说明' });
    expect(made.code, JSON.stringify(made)).toBe(0);
    const { id } = made.data;
    const [row] = (await world.east.call(fileCalls.list)).data.list;
    expect(row).toMatchObject({
      id,
      batch: 'B-1',
      name: '船舶配置',
      type: 'config',
      size: 7,
      remark: '首次',
      describe: '说明',
      task_count: 0,
      version: 1,
    });
    expect((await world.east.call(fileCalls.option)).data).toEqual({ [id]: '船舶配置 (B-1)' });
    const changed = { id, name: '船舶配置二', remark: '', describe: '说明', version: 1 };
    expect((await world.east.call(fileCalls.update, changed)).code).toBe(0);
    expect((await world.east.call(fileCalls.update, changed)).code).toBe(errors.stale.code);
    expect((await world.east.call(fileCalls.update, { ...changed, version: 2 })).code).toBe(errors.unchanged.code);
    const query = `uid=${world.east.session?.uid}&agent_id=${world.east.session?.agent_id}`;
    const file = await fetch(`${api.base}/agt/v1/file/download/${id}?${query}`, {
      headers: { authorization: world.east.session?.token ?? '' },
    });
    expect(file.headers.get('content-disposition')).toContain(encodeURIComponent('船 a.conf'));
    expect(await file.text()).toBe('wan=6d\n');
    expect((await world.east.call(fileCalls.remove, { id })).code).toBe(0);
    expect((await world.east.call(fileCalls.list)).data.total).toBe(0);
    await startJobs(api.deps, cleanupJobs, { pollMs: 0 }).tick();
    expect(readdirSync(join(api.deps.config.dataDir, 'files', 'file'))).toEqual([]);
  });

  it('is filtered by name, batch, type, time, uploader and VNO', async () => {
    const conf = (await upload(world.east, 'a', 'a.conf', { batch: 'F_1', name: '过滤甲' })).data.id;
    const script = (await upload(world.child, '#!/bin/sh\n', 'a.sh', { batch: 'F-2', name: '过滤乙', type: 'script' })).data.id;
    const found = async (filters: object) =>
      (await world.east.call(fileCalls.list, { name: '过滤', ...filters })).data.list.map((r) => r.id).sort();
    expect(await found({})).toEqual([conf, script]);
    expect(await found({ batch: 'F_' })).toEqual([conf]);
    expect(await found({ type: 'script' })).toEqual([script]);
    expect(await found({ file_id: script })).toEqual([script]);
    expect(await found({ vno_id: world.childId })).toEqual([script]);
    expect(await found({ create_at_start: api.clock.now() + 1, create_at_end: api.clock.now() + 9 })).toEqual([]);
    await api.db.updateTable('file').set({ operator: '大副' }).where('id', '=', script).execute();
    expect(await found({ operator: '大副' })).toEqual([script]);
  });

  it('is refused at its field if name, content or size do not match its type', async () => {
    const cases: [name: string, type: string, content: string | Buffer][] = [
      ['a.exe', 'config', 'text'],
      ['a.conf', 'config', Buffer.from([0, 1, 2, 3])],
      ['a.sh', 'script', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0])],
      ['a.tar', 'docker', 'no tar at all'],
      ['a.tar.gz', 'docker', 'no gzip at all'],
      ['a.zip', 'portal', 'no zip at all'],
      ['a.tar', 'portal', tar],
      ['a.zip', 'portal', await zipOf(1024 * 1024)],
      ['a.png', 'media', 'no picture'],
      ['a.sh', 'script', 'x'.repeat(limits.fileScriptBytes + 1)],
      ['a.bin', 'other', ''],
    ];
    for (const [name, type, content] of cases) {
      const reply = await upload(world.east, content, name, { type });
      expect([errors.wrong_media.code, errors.bad_input.code], `${name} as ${type}: ${JSON.stringify(reply)}`).toContain(reply.code);
      expect(reply.data, name).toHaveProperty('fields.file');
    }
    for (const [name, type, content] of [
      ['a.tar', 'docker', tar],
      ['a.tar.gz', 'docker', gzipSync(tar)],
      ['a.zip', 'portal', await zipOf(1024 * 1024 - 200)],
      ['a.png', 'media', Buffer.from('89504e470d0a1a0a00', 'hex')],
      ['a', 'other', Buffer.from([0])],
    ] as const)
      expect((await upload(world.east, content, name, { type })).code, `${name} as ${type}`).toBe(0);
    expect((await upload(world.east, 'a', 'a.conf', { batch: '批 次' })).data).toHaveProperty('fields.batch');
    expect((await upload(world.east, 'a', 'a.conf', { name: ' ' })).data).toHaveProperty('fields.name');
    expect((await world.east.call(fileCalls.create, { batch: 'B', name: 'n', type: 'config' })).data).toHaveProperty('fields.file');
    expect(
      (
        await world.east.call(fileCalls.create, {
          batch: 'B',
          name: 'n',
          type: 'config',
          file: { path: '/etc/passwd', name: 'a.conf', size: 1 },
        })
      ).data,
    ).toHaveProperty('fields.file');
  });

  it('is not found by another branch or by a child VNO', async () => {
    const { id } = (await upload(world.east, 'secret', 'a.conf', { name: '东海机密' })).data;
    expect(JSON.stringify((await world.west.call(fileCalls.list, { limit: 100 })).data)).not.toContain('东海机密');
    expect(JSON.stringify((await world.west.call(fileCalls.option)).data)).not.toContain('东海机密');
    for (const call of [fileCalls.remove, fileCalls.download])
      expect((await world.west.call(call, { id })).code).toBe(errors.not_found.code);
    expect((await world.west.call(fileCalls.update, { id, name: 'x', version: 1 })).code).toBe(errors.not_found.code);
    expect((await world.child.call(fileCalls.download, { id })).code).toBe(errors.not_found.code);
    expect((await world.admin.call(fileCalls.download, { id })).code).toBe(0);
  });
});

describe('a chunked upload', () => {
  const content = randomBytes(limits.fileChunkBytes * 2 + 1000);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const begin = (by: Caller, more: object = {}) =>
    by.call(fileCalls.begin, { file_name: 'image.bin', size: content.length, type: 'other', mark: 'image.bin:1', ...more });
  const sendChunk = (by: Caller, id: number, offset: number, bytes = content.subarray(offset, offset + limits.fileChunkBytes)) =>
    sendForm<{ received: number }>(by, fileCalls.uploadChunk, { id, offset, part: blobOf(bytes) }, 'part');
  const finish = (by: Caller, upload_id: number, more: object = {}) =>
    by.call(fileCalls.create, { upload_id, batch: 'B-2', name: '大文件', type: 'other', sha256, ...more });
  const chunksOf = (id: number) => readdirSync(join(api.deps.config.dataDir, 'files', 'upload', String(id)));

  it('resumes after a reload, and becomes a file', async () => {
    const first = (await begin(world.east)).data;
    expect(first).toMatchObject({ received: 0, part_size: limits.fileChunkBytes });
    expect((await sendChunk(world.east, first.id, 0)).data).toEqual({ received: limits.fileChunkBytes });
    const short = await finish(world.east, first.id);
    expect([short.code, short.data]).toEqual([errors.upload_short.code, { received: limits.fileChunkBytes }]);
    const again = (await begin(world.east)).data;
    expect(again).toEqual({ ...first, received: limits.fileChunkBytes });
    // The same chunk twice, a gap, and a chunk of the wrong length.
    for (const [offset, bytes] of [
      [0, undefined],
      [limits.fileChunkBytes * 2, undefined],
      [limits.fileChunkBytes, content.subarray(0, 10)],
    ] as const) {
      const reply = await sendChunk(world.east, first.id, offset, bytes);
      expect([reply.code, reply.data]).toEqual([errors.upload_offset.code, { received: limits.fileChunkBytes }]);
    }
    await sendChunk(world.east, first.id, limits.fileChunkBytes);
    expect((await sendChunk(world.east, first.id, limits.fileChunkBytes * 2)).data).toEqual({ received: content.length });
    expect((await world.west.call(fileCalls.create, { upload_id: first.id, batch: 'B', name: 'n', type: 'other' })).data).toHaveProperty(
      'fields.file',
    );
    const made = await finish(world.east, first.id);
    expect(made.code, JSON.stringify(made)).toBe(0);
    const row = await api.db.selectFrom('file').selectAll().where('id', '=', made.data.id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ size: content.length, sha256, file_name: 'image.bin', zip: false });
    expect((await finish(world.east, first.id)).data).toHaveProperty('fields.file');
    await startJobs(api.deps, uploadJobs, { pollMs: 0 }).tick();
    expect(chunksOf(first.id)).toEqual([]);
  });

  it('is refused at its start if type or size do not match, and for chunks from another VNO', async () => {
    expect((await begin(world.east, { type: 'docker' })).data).toHaveProperty('fields.file');
    expect((await begin(world.east, { type: 'portal', file_name: 'a.zip' })).data).toHaveProperty('fields.file');
    expect((await begin(world.east, { size: limits.fileBytes + 1 })).code).toBe(errors.bad_input.code);
    const { id } = (await begin(world.east, { mark: 'mine' })).data;
    expect((await sendChunk(world.west, id, 0)).code).toBe(errors.not_found.code);
    expect((await sendChunk(world.child, id, 0)).code).toBe(errors.not_found.code);
  });

  it('is discarded if its hash or content does not match', async () => {
    const small = Buffer.alloc(100, 'x');
    for (const [type, file_name, more, code] of [
      ['other', 'a.bin', { sha256: '0'.repeat(64) }, errors.upload_corrupt.code],
      ['docker', 'a.tar', { sha256: undefined, type: 'docker' }, errors.wrong_media.code],
    ] as const) {
      const { id } = (await begin(world.east, { type, file_name, size: 100, mark: `bad ${type}` })).data;
      await sendChunk(world.east, id, 0, small);
      expect((await finish(world.east, id, more)).code).toBe(code);
      await startJobs(api.deps, uploadJobs, { pollMs: 0 }).tick();
      expect(chunksOf(id)).toEqual([]);
      expect((await begin(world.east, { type, file_name, size: 100, mark: `bad ${type}` })).data).toMatchObject({ received: 0 });
    }
  });

  it('is removed after three days without activity; if there are too many, the oldest is removed first', async () => {
    const { id } = (await begin(world.west, { mark: 'first' })).data;
    await sendChunk(world.west, id, 0);
    for (let i = 0; i < limits.fileUploads; i++) {
      api.clock.advance(1);
      await begin(world.west, { mark: `later ${i}` });
    }
    const open = () =>
      api.db
        .selectFrom('file_upload')
        .select('id')
        .where('customer_id', '=', world.west.session?.uid ?? 0)
        .execute();
    expect((await open()).length).toBe(limits.fileUploads);
    expect((await sendChunk(world.west, id, limits.fileChunkBytes)).code).toBe(errors.not_found.code);
    const old = api.clock.now() - limits.fileUploadHours * 3600 - 1;
    await api.db.updateTable('file_upload').set({ update_at: old }).execute();
    // The round of this hour has run in an earlier test.
    await api.db.deleteFrom('job').where('kind', '=', 'file_upload_sweep').execute();
    await startJobs(api.deps, uploadJobs, { pollMs: 0 }).tick();
    expect(await open()).toEqual([]);
    expect(chunksOf(id)).toEqual([]);
  });
});

describe('sending files', () => {
  const order = (more: object) => ({ operation: 'none', path: '/tmp', send_mode: 'immediate', device_ids: [ship], ...more });

  it('creates a task for each file in the log, and a file in use cannot be deleted', async () => {
    const ids = [(await upload(world.east, 'a')).data.id, (await upload(world.east, 'b', 'b.conf', { name: '第二个' })).data.id];
    const reply = await world.east.call(fileCalls.send, order({ file_ids: ids, remark: '备注' }));
    expect(reply.data).toMatchObject({ success: 2, fail: 0 });
    const { list } = (await world.east.call(fileTaskCalls.list, { file_id: ids[1] })).data;
    expect(list).toHaveLength(1);
    expect(list[0]).toMatchObject({
      file_name: '第二个',
      operation: 'none',
      state: 'running',
      device_count: 1,
      success_count: 0,
      fail_count: 0,
      progress: 0,
    });
    const detail = (await world.east.call(fileTaskCalls.detail, { id: list[0]?.id ?? 0 })).data.list;
    expect(detail).toMatchObject([{ sn: 'E-1', status: 0, progress: 0, message: '设备离线，上线后自动下发' }]);
    expect((await world.east.call(fileCalls.list, { file_id: ids[0] })).data.list[0]).toMatchObject({ task_count: 1, in_use: true });
    expect((await world.east.call(fileCalls.remove, { id: ids[0] ?? 0 })).code).toBe(errors.file_in_use.code);
    expect((await world.west.call(fileTaskCalls.detail, { id: list[0]?.id ?? 0 })).code).toBe(errors.not_found.code);
    for (const call of [fileTaskCalls.stop, fileTaskCalls.pause, fileTaskCalls.resume, fileTaskCalls.remove])
      expect((await world.west.call(call, { id: list[0]?.id ?? 0 })).code).toBe(errors.not_found.code);
    expect((await world.east.call(fileTaskCalls.stop, { id: list[0]?.id ?? 0 })).code).toBe(0);
    expect((await world.east.call(fileTaskCalls.stop, { id: list[0]?.id ?? 0 })).code).toBe(errors.task_ended.code);
    expect((await world.east.call(fileTaskCalls.detail, { id: list[0]?.id ?? 0 })).data.list).toMatchObject([
      { status: 201, message: '任务已停止' },
    ]);
    expect((await world.east.call(fileCalls.remove, { id: ids[1] ?? 0 })).code).toBe(0);
    // The log keeps the task after the file is deleted.
    expect((await world.east.call(fileTaskCalls.list, { state: 'stopped' })).data.list).toMatchObject([{ file_name: '第二个' }]);
  });

  it('refuses a time in the past, an invalid path, foreign devices or files, and unpacking without a ZIP file', async () => {
    const file = (await upload(world.east, 'a')).data.id;
    const foreign = await addDevice(world.westId, 'W-1');
    const send = (more: object, by = world.east) => by.call(fileCalls.send, order({ file_ids: [file], ...more }));
    expect((await send({ send_mode: 'timed', send_at: api.clock.now() })).data).toHaveProperty('fields.send_at');
    expect((await send({ send_mode: 'timed' })).data).toHaveProperty('fields.send_at');
    expect((await send({ path: '/tmp/../etc' })).data).toHaveProperty('fields.path');
    expect((await send({ device_ids: [] })).data).toHaveProperty('fields.device_ids');
    expect((await send({ device_ids: [ship, foreign] })).data).toHaveProperty('fields.device_ids');
    expect((await send({ operation: 'decompress' })).data).toMatchObject({
      fail: 1,
      list: [{ id: file, message: '解压操作仅支持ZIP文件' }],
    });
    expect((await send({ device_ids: [foreign] }, world.admin)).data).toMatchObject({ fail: 1, list: [{ id: file }] });
    expect((await world.west.call(fileCalls.send, order({ file_ids: [file], device_ids: [foreign] }))).data).toMatchObject({
      success: 0,
      fail: 1,
    });
    const zip = (await upload(world.east, await zipOf(100), 'a.zip')).data.id;
    expect((await send({ file_ids: [zip], operation: 'decompress' })).data).toMatchObject({ success: 1 });
  });

  it('has an estimate of traffic, time and waiting devices', async () => {
    const file = (await upload(world.east, 'x'.repeat(1_000_000))).data.id;
    const devices = [
      ship,
      await addDevice(world.eastId, 'E-2', { online_state: 1, network: 'lte' }),
      await addDevice(world.eastId, 'E-3', { online_state: 1, network: 'l_band' }),
      await addDevice(world.eastId, 'E-4', { online_state: 1, auth_status: 'expired' }),
    ];
    const { data } = await world.east.call(fileCalls.estimate, { ids: [file], device_ids: devices });
    expect(data.notes).toEqual([
      { text: '预计流量 2.86 MB（976.56 KB × 3 台），约需 1秒' },
      { text: '1 台设备离线，上线后自动下发', tone: 'warning' },
      { text: '1 台设备处于L波段链路，切换到其他链路后下发', tone: 'warning' },
      { text: '1 台设备授权已过期或暂停，恢复前不会下发', tone: 'warning' },
    ]);
    expect((await world.west.call(fileCalls.estimate, { ids: [file], device_ids: devices })).data).toEqual({ notes: [] });
  });

  it('creates tasks that a device-limited role can view, and can stop only if all devices are in the role', async () => {
    const mine = await addDevice(world.eastId, 'E-5');
    const other = await addDevice(world.eastId, 'E-6');
    const role = await makeRole(world.east, '限设备', grantsOf(['file_task']), {
      scope: 'device',
      device_limit: 'specified',
      device_ids: [mine],
    });
    await makeStaff(world.east, 'east_mate', role);
    const mate = await api.login('east_mate');
    const file = (await upload(world.east, 'a')).data.id;
    for (const device_ids of [[mine], [other], [mine, other]])
      await world.east.call(fileCalls.send, order({ file_ids: [file], device_ids }));
    const { list } = (await mate.call(fileTaskCalls.list, { orderby: 'task_no asc' })).data;
    expect(list.map((t) => t.device_count)).toEqual([1, 2]);
    const [own, shared] = list.map((t) => t.id);
    expect((await mate.call(fileTaskCalls.detail, { id: shared ?? 0 })).data.list.map((d) => d.sn)).toEqual(['E-5']);
    expect((await mate.call(fileTaskCalls.stop, { id: shared ?? 0 })).code).toBe(errors.task_shared.code);
    expect((await mate.call(fileTaskCalls.stop, { id: own ?? 0 })).code).toBe(0);
  });
});
