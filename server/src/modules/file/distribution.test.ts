import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { errors } from '@farlink/contract/errors.ts';
import { fileCalls } from '@farlink/contract/file/file.ts';
import { fileTaskCalls } from '@farlink/contract/file/file-log.ts';
import type { Faults } from '@farlink/simulator/faults.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { type Caller, readReply } from '../../../test/api.ts';
import { type FleetApi, startFleetApi } from '../../../test/fleet-api.ts';
import { makeBranches } from '../../../test/world.ts';
import { lockGroup, locks } from '../../db/lock.ts';
import { dispatchFiles } from '../../domain/file-task/dispatch.ts';
import { dispatchRates } from '../../domain/file-task/dispatch-rate.ts';
import { fileTaskJobs } from '../../domain/file-task/file-task-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';

let fleet: FleetApi;
let world: Awaited<ReturnType<typeof makeBranches>>;
let east: Caller;
let zip: number;
let counter = 0;

const zipFile = () => {
  const made = new ZipFile();
  made.addBuffer(randomBytes(200_000), 'a.bin', { compress: false, mtime: new Date(0) });
  made.end();
  return buffer(made.outputStream);
};

const upload = async (content: Buffer, name: string) => {
  const form = new FormData();
  for (const [key, value] of Object.entries({ batch: 'B', name, type: 'other', lang: 'zh' })) form.append(key, value);
  form.append('file', new Blob([new Uint8Array(content)]), name);
  const reply = await readReply<{ id: number }>(
    await fetch(`${fleet.base}/agt/v1/file`, { method: 'POST', body: form, headers: { authorization: east.session?.token ?? '' } }),
  );
  if (reply.code !== 0) throw new Error(JSON.stringify(reply));
  return reply.data.id;
};

beforeAll(async () => {
  fleet = await startFleetApi();
  world = await makeBranches(fleet);
  east = world.east;
  zip = await upload(await zipFile(), 'a.zip');
});
beforeEach(async () => {
  for (const gateway of fleet.gateways) gateway.stop();
  // The wait for a retry is longer than a session lasts.
  east = await fleet.login('east');
});
afterAll(() => fleet.close());

/** Runs the worker until no job is due. */
const work = () => startJobs(fleet.deps, fileTaskJobs, { pollMs: 0 }).tick();

const ship = async (faults: Partial<Faults> = {}, link: Gateway['current'] = 'lte') => {
  const { id, gateway } = await fleet.addGateway(world.eastId, `S-${++counter}`);
  gateway.current = link;
  Object.assign(gateway.faults, faults);
  return { id, gateway };
};
const online = async (...ships: readonly { id: number; gateway: Gateway }[]) => {
  for (const { gateway } of ships) expect(await gateway.connect()).toBe(true);
  const states = () =>
    fleet.db
      .selectFrom('device')
      .select('online_state')
      .where(
        'id',
        'in',
        ships.map((s) => s.id),
      )
      .execute();
  await expect.poll(async () => (await states()).every((d) => d.online_state === 1)).toBe(true);
};
const send = async (deviceIds: readonly number[], more: object = {}) => {
  const order = { operation: 'none', path: '/tmp', send_mode: 'immediate', file_ids: [zip], device_ids: deviceIds, ...more };
  const reply = await east.call(fileCalls.send, order);
  expect(reply.data, JSON.stringify(reply)).toMatchObject({ success: 1 });
  return (await fleet.db.selectFrom('file_task').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id;
};
const deviceRows = (taskId: number) =>
  fleet.db.selectFrom('file_task_device').selectAll().where('task_id', '=', taskId).orderBy('id').execute();
const statuses = async (taskId: number) => (await deviceRows(taskId)).map((p) => p.status);
const messages = async (taskId: number) =>
  (await east.call(fileTaskCalls.detail, { id: taskId, limit: 100 })).data.list.map((d) => d.message);
const taskOf = (id: number) => fleet.db.selectFrom('file_task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
/** Runs the worker until the devices of the task have these statuses. */
const until = (taskId: number, expected: readonly number[]) =>
  expect
    .poll(
      async () => {
        await work();
        return statuses(taskId);
      },
      { timeout: 10_000 },
    )
    .toEqual(expected);
const commandsOf = (deviceId: number, op = 'file.get') =>
  fleet.db.selectFrom('device_command').selectAll().where('device_id', '=', deviceId).where('op', '=', op).execute();

describe('the distribution of a file', () => {
  it('downloads the file over HTTP, and stores, installs, unpacks or executes it: 100, 105, 104, 103', async () => {
    const a = await ship();
    await online(a);
    for (const [operation, status] of [
      ['none', 100],
      ['install', 105],
      ['decompress', 104],
      ['execute', 103],
    ] as const) {
      const task = await send([a.id], { operation });
      await until(task, [status]);
      expect(await taskOf(task)).toMatchObject({ state: 'finished', finish_at: fleet.clock.now() });
      const [row] = (await east.call(fileTaskCalls.list, { status, device_id: a.id })).data.list;
      expect(row).toMatchObject({ id: task, success_count: 1, fail_count: 0, progress: 100 });
    }
    expect(a.gateway.files.here.map((f) => f.path)).toEqual(['/tmp', '/tmp', '/tmp', '/tmp']);
  });

  it('fails without a retry on permanent errors: 101, 102, 202', async () => {
    for (const [file, operation, status] of [
      ['install', 'install', 101],
      ['unzip', 'decompress', 102],
      ['missing', 'none', 202],
    ] as const) {
      const a = await ship({ file });
      await online(a);
      const task = await send([a.id], { operation });
      await until(task, [status]);
      expect(await commandsOf(a.id)).toHaveLength(1);
      expect(await messages(task)).not.toEqual([null]);
      expect((await east.call(fileTaskCalls.list, { file_id: zip, status })).data.list[0]).toMatchObject({
        id: task,
        fail_count: 1,
        success_count: 0,
      });
    }
  });

  it('is retried after 1, 4 and 16 minutes on download errors, and then fails: 200, 203', async () => {
    for (const [file, status] of [
      ['net', 200],
      ['corrupt', 203],
    ] as const) {
      east = await fleet.login('east');
      const a = await ship({ file });
      await online(a);
      const task = await send([a.id]);
      for (const [tries, minutes] of [1, 4, 16].entries()) {
        await expect
          .poll(async () => {
            await work();
            return (await deviceRows(task))[0];
          })
          .toMatchObject({ status: 0, tries: tries + 1, command_id: null });
        if (tries === 0) expect(await messages(task)).toEqual([expect.stringMatching(/^下载失败，\d\d:\d\d 重试（第2次）：/)]);
        fleet.clock.advance(minutes * 60 - 1);
        await dispatchFiles(fleet.deps);
        expect(await commandsOf(a.id)).toHaveLength(tries + 1);
        fleet.clock.advance(1);
      }
      await until(task, [status]);
      expect(await commandsOf(a.id)).toHaveLength(4);
      expect(await taskOf(task)).toMatchObject({ state: 'finished' });
    }
  });

  it('resumes an interrupted download without a new command', async () => {
    const a = await ship({ drops: 3 });
    await online(a);
    const task = await send([a.id]);
    await until(task, [100]);
    expect(await commandsOf(a.id)).toHaveLength(1);
  });

  it('waits for an offline gateway, shows the reason, and is sent once when it connects', async () => {
    const a = await ship();
    const task = await send([a.id]);
    await work();
    expect(await messages(task)).toEqual(['设备离线，上线后自动下发']);
    expect(await commandsOf(a.id)).toEqual([]);
    await online(a);
    await until(task, [100]);
    expect(await commandsOf(a.id)).toHaveLength(1);
  });

  it('waits on L-band, shows the reason, and continues on another link', async () => {
    const a = await ship({}, 'l_band');
    await online(a);
    const task = await send([a.id]);
    await work();
    expect([await statuses(task), await messages(task)]).toEqual([[0], ['当前为L波段链路，切换到其他链路后下发']]);
    expect(await commandsOf(a.id)).toEqual([]);
    a.gateway.stop();
    await expect.poll(async () => (await commandsOf(a.id)).length + (a.gateway.state === 'off' ? 0 : 1)).toBe(0);
    a.gateway.current = 'low_orbit';
    await online(a);
    await until(task, [100]);
  });

  it('can be paused and resumed: 1, 2, 1', async () => {
    const a = await ship({ hold: 50 });
    const b = await ship();
    await online(a);
    const task = await send([a.id, b.id]);
    await until(task, [1, 0]);
    await expect.poll(async () => (await deviceRows(task))[0]?.progress).toBeGreaterThan(40);
    expect((await east.call(fileTaskCalls.pause, { id: task })).code).toBe(0);
    expect((await east.call(fileTaskCalls.pause, { id: task })).code).toBe(errors.task_paused.code);
    const line = await fleet.db
      .selectFrom('syslog')
      .select(['before', 'after'])
      .where('content_en', 'like', 'Paused task %')
      .executeTakeFirst();
    expect(line).toEqual({ before: { state: 'running' }, after: { state: 'paused' } });
    await until(task, [2, 0]);
    await online(b);
    await work();
    // No download starts while the task is paused, and the list shows the paused state.
    expect(await statuses(task)).toEqual([2, 0]);
    expect((await east.call(fileTaskCalls.list, { device_id: a.id })).data.list[0]).toMatchObject({
      state: 'paused',
      progress: 25,
    });
    expect((await east.call(fileTaskCalls.resume, { id: task })).code).toBe(0);
    expect((await east.call(fileTaskCalls.resume, { id: task })).code).toBe(errors.task_not_paused.code);
    await until(task, [1, 100]);
    a.gateway.faults.hold = undefined;
    await until(task, [100, 100]);
  });

  it('can be stopped: completed devices keep their state, the others are 201, and nothing more is sent', async () => {
    const a = await ship();
    const b = await ship({ hold: 30 });
    const c = await ship();
    await online(a, b);
    const task = await send([a.id, b.id, c.id]);
    await until(task, [100, 1, 0]);
    expect((await east.call(fileTaskCalls.stop, { id: task })).code).toBe(0);
    expect(await statuses(task)).toEqual([100, 201, 201]);
    expect((await east.call(fileTaskCalls.stop, { id: task })).code).toBe(errors.task_ended.code);
    await expect.poll(async () => (await commandsOf(b.id))[0]?.code).toBe(201);
    await online(c);
    await work();
    expect(await statuses(task)).toEqual([100, 201, 201]);
    expect(await commandsOf(c.id)).toEqual([]);
    expect(await taskOf(task)).toMatchObject({ state: 'stopped' });
  });

  it('that completes before the gateway receives the stop counts as successful', async () => {
    const a = await ship({ hold: 90 });
    await online(a);
    const task = await send([a.id]);
    await until(task, [1]);
    // The stop command is lost.
    Object.assign(a.gateway.faults, { unsupported: new Set(['file.stop']) });
    await east.call(fileTaskCalls.stop, { id: task });
    expect(await statuses(task)).toEqual([201]);
    a.gateway.faults.hold = undefined;
    await until(task, [100]);
    expect(await taskOf(task)).toMatchObject({ state: 'stopped' });
  });

  it('can delete the file on the devices that have it: 255', async () => {
    const a = await ship();
    const b = await ship({ file: 'missing' });
    await online(a, b);
    const task = await send([a.id, b.id]);
    await until(task, [100, 202]);
    const [row] = await deviceRows(task);
    expect((await east.call(fileTaskCalls.remove, { id: task, ids: [row?.id ?? 0] })).data).toEqual({ count: 1 });
    await until(task, [255, 202]);
    expect(a.gateway.files.here).toEqual([]);
    expect((await east.call(fileTaskCalls.remove, { id: task })).code).toBe(errors.task_nothing.code);
    expect((await east.call(fileTaskCalls.list, { status: 255 })).data.list[0]).toMatchObject({
      id: task,
      success_count: 1,
      fail_count: 1,
    });
  });

  it('sends no commands to a device that now belongs to another VNO', async () => {
    const a = await ship();
    const b = await ship();
    await online(a);
    const arrived = await send([a.id]);
    await until(arrived, [100]);
    b.gateway.faults.hold = 50;
    await online(b);
    const under = await send([b.id]);
    await until(under, [1]);
    await fleet.db.updateTable('device').set({ agent_id: world.westId }).where('id', 'in', [a.id, b.id]).execute();
    const commands = () => fleet.db.selectFrom('device_command').select('op').where('device_id', 'in', [a.id, b.id]).execute();
    const before = await commands();
    expect((await east.call(fileTaskCalls.remove, { id: arrived })).code).toBe(errors.task_nothing.code);
    expect((await east.call(fileTaskCalls.pause, { id: under })).code).toBe(0);
    expect((await east.call(fileTaskCalls.resume, { id: under })).code).toBe(0);
    expect((await east.call(fileTaskCalls.stop, { id: under })).code).toBe(0);
    expect(await commands()).toEqual(before);
    b.gateway.faults.hold = undefined;
  });

  it('ends when the device is deleted during the download', async () => {
    const a = await ship({ hold: 50 });
    await online(a);
    const task = await send([a.id]);
    await until(task, [1]);
    await fleet.db.deleteFrom('device').where('id', '=', a.id).execute();
    await dispatchFiles(fleet.deps);
    await until(task, [201]);
    expect(await messages(task)).toEqual(['设备已删除']);
    expect(await taskOf(task)).toMatchObject({ state: 'finished' });
  });

  it('fails at once with the reason if the gateway does not support it', async () => {
    const a = await ship({ unsupported: new Set(['file.get']) });
    await online(a);
    const task = await send([a.id]);
    await until(task, [200]);
    expect(await messages(task)).toEqual(['设备版本不支持该操作']);
    expect(await commandsOf(a.id)).toHaveLength(1);
  });

  it('is not sent when the device has been deleted or transferred', async () => {
    const a = await ship();
    const b = await ship();
    const task = await send([a.id, b.id]);
    await fleet.db.deleteFrom('device').where('id', '=', a.id).execute();
    await fleet.db.updateTable('device').set({ agent_id: world.westId }).where('id', '=', b.id).execute();
    await until(task, [201, 201]);
    expect((await messages(task)).sort()).toEqual(['设备已删除', '设备已转移到其他VNO'].sort());
    expect(await taskOf(task)).toMatchObject({ state: 'finished' });
  });
});

describe('a timed task', () => {
  it('starts once at its time, with any number of workers', async () => {
    const ships = [await ship(), await ship()];
    await online(...ships);
    const task = await send(
      ships.map((s) => s.id),
      { send_mode: 'timed', send_at: fleet.clock.now() + 120 },
    );
    await work();
    expect(await taskOf(task)).toMatchObject({ state: 'waiting' });
    expect(await messages(task)).toEqual(['等待计划时间', '等待计划时间']);
    fleet.clock.advance(120);
    await Promise.all([work(), dispatchFiles(fleet.deps), dispatchFiles(fleet.deps), work()]);
    await until(task, [100, 100]);
    for (const { id } of ships) expect(await commandsOf(id)).toHaveLength(1);
  });

  it('does not wait for the lock of the broker leader', async () => {
    const a = await ship();
    await online(a);
    const task = await send([a.id], { send_mode: 'timed', send_at: fleet.clock.now() + 60 });
    fleet.clock.advance(60);
    const leader = await fleet.deps.pool.connect();
    try {
      const { rows } = await leader.query('select pg_try_advisory_lock($1, $2) as mine', [lockGroup, locks.brokerLeader]);
      expect(rows).toEqual([{ mine: true }]);
      await dispatchFiles(fleet.deps);
      expect(await commandsOf(a.id)).toHaveLength(1);
    } finally {
      leader.release(true);
    }
    await until(task, [100]);
  });

  it('that is stopped before its time never starts', async () => {
    const a = await ship();
    await online(a);
    const task = await send([a.id], { send_mode: 'timed', send_at: fleet.clock.now() + 60 });
    await east.call(fileTaskCalls.stop, { id: task });
    fleet.clock.advance(60);
    await work();
    expect(await statuses(task)).toEqual([201]);
    expect(await commandsOf(a.id)).toEqual([]);
  });
});

describe('many gateways at once', () => {
  it('download a few at a time, and the others wait in a queue', async () => {
    const { slots } = dispatchRates['6d'];
    const ships = await Promise.all(Array.from({ length: slots + 2 }, () => ship({ hold: 40 }, '6d')));
    await online(...ships);
    const task = await send(ships.map((s) => s.id));
    await until(task, [...Array(slots).fill(1), 0, 0]);
    expect((await messages(task)).filter((m) => m === '排队中，等待其他设备完成')).toHaveLength(2);
    // A gateway that disconnects during a download does not block others.
    ships[0]?.gateway.stop();
    await expect.poll(() => messages(task)).toContain('设备在下载中离线，上线后继续');
    fleet.clock.advance(30);
    await until(task, [...Array(slots + 1).fill(1), 0]);
    for (const { gateway } of ships) gateway.faults.hold = undefined;
    if (ships[0]) await online(ships[0]);
    await until(task, Array(slots + 2).fill(100));
  });

  it('get one download at a time: the second task of a gateway waits for the first', async () => {
    const a = await ship({ hold: 10 });
    await online(a);
    const first = await send([a.id]);
    await until(first, [1]);
    const second = await send([a.id]);
    await work();
    expect(await statuses(second)).toEqual([0]);
    a.gateway.faults.hold = undefined;
    await until(first, [100]);
    await until(second, [100]);
  });
});
