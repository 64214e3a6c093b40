import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { errors } from '@farlink/contract/errors.ts';
import type { OutputOf } from '@farlink/contract/kit/endpoint.ts';
import { dpiReasons } from '@farlink/contract/traffic/dpi-reasons.ts';
import { dpiTaskCalls as calls } from '@farlink/contract/traffic/dpi-task.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import type { GatewayOptions } from '@farlink/simulator/gateway-options.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, fieldsOf, grantsOf } from '../../../test/api.ts';
import { type FleetApi, startFleetApi } from '../../../test/fleet-api.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { dispatchTasks } from '../../domain/dpi-task/dpi-task-job.ts';
import { importTask } from '../../field/dpi/import-dpi.ts';
import { sweepField } from '../../field/sweep.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { setDesired } from '../../orders/desired.ts';

let fleet: FleetApi;
let world: Awaited<ReturnType<typeof makeBranches>>;
let east: Caller;
let counter = 0;

beforeAll(async () => {
  fleet = await startFleetApi();
  world = await makeBranches(fleet);
});
beforeEach(async () => {
  east = await fleet.login('east');
});
afterAll(() => fleet.close());

interface Ship {
  readonly id: number;
  readonly gateway: Gateway;
}

const ship = async (options: Partial<GatewayOptions> = {}, agentId = world.eastId): Promise<Ship> => {
  const { id, gateway } = await fleet.addGateway(agentId, `D-${++counter}`, { calm: true, ...options });
  return { id, gateway };
};
const onlineState = async (id: number) =>
  (await fleet.db.selectFrom('device').select('online_state').where('id', '=', id).executeTakeFirstOrThrow()).online_state;
const connect = async ({ id, gateway }: Ship) => {
  // A connection that ended by a power loss must close first.
  await expect.poll(() => gateway.state).toBe('off');
  expect(await gateway.connect()).toBe(true);
  await expect.poll(() => onlineState(id)).toBe(1);
};

/** Traffic of one account, in this many batches; the console gets them unless the gateway is offline. */
const makeTraffic = ({ gateway }: Ship, batches = 1) => {
  gateway.users.signIn('crew');
  for (let i = 0; i < batches; i++) {
    gateway.users.transfer('crew', { u: 1000 + i, d: 2000 });
    gateway.world.reportTraffic();
  }
};
const userBytes = async ({ id }: Ship) => {
  const rows = await fleet.db.selectFrom('user_flow').select(['up_bytes', 'down_bytes']).where('device_id', '=', id).execute();
  return rows.reduce((sum, { up_bytes, down_bytes }) => sum + up_bytes + down_bytes, 0);
};

/** An online gateway whose batches the console has received. */
const shipWithData = async (batches = 1) => {
  const here = await ship();
  await connect(here);
  makeTraffic(here, batches);
  await expect.poll(() => userBytes(here)).toBeGreaterThan(0);
  await here.gateway.outgoing.drained(5000);
  return here;
};

const order = (device_ids: readonly number[], more: object = {}, by = east) => {
  const now = fleet.clock.now();
  const range = { start_at: now - 3600, end_at: now + 60 };
  const usual = { operate: 'report', data_type: 'flow_usr', mode: 'single', method: 'immediate', limit_speed: 0, limit_flow: 0 };
  return by.call(calls.create, { ...usual, ...range, device_ids, ...more });
};
type Task = OutputOf<typeof calls.list>['list'][number];
const tasksOf = async ({ id }: Ship, by = east): Promise<readonly Task[]> =>
  (await by.call(calls.list, { device_id: id, limit: 100, lang: 'en' })).data.list;
const taskOf = async (here: Ship): Promise<Task> => {
  const [task] = await tasksOf(here);
  if (!task) throw new Error('no task');
  return task;
};
const statusOf = async (here: Ship) => (await taskOf(here)).status;
const rowOf = (here: Ship) =>
  fleet.db.selectFrom('dpi_task').selectAll().where('device_id', '=', here.id).orderBy('id', 'desc').executeTakeFirstOrThrow();
const until = (here: Ship, status: number) => expect.poll(() => statusOf(here)).toBe(status);
const importOf = async (here: Ship) => importTask(fleet.deps, (await rowOf(here)).id);
const retry = async (seconds: number) => {
  fleet.clock.advance(seconds);
  east = await fleet.login('east');
  await dispatchTasks(fleet.deps);
};

describe('a single report', () => {
  it('goes from issued to reported, and counts no data twice', async () => {
    const here = await shipWithData(3);
    const before = await userBytes(here);
    const reply = await order([here.id]);
    expect(reply.data).toMatchObject({ success: 1, fail: 0 });
    await until(here, 2);
    await importOf(here);
    expect(await taskOf(here)).toMatchObject({ status: 9, progress: 100, message: '', data_type: 'flow_usr' });
    expect((await taskOf(here)).size).toBeGreaterThan(0);
    expect(await userBytes(here)).toBe(before);
  });

  it('delivers data that the console never received', async () => {
    const here = await ship();
    makeTraffic(here, 3);
    // The queue of the gateway is lost, its archive is not.
    for (const stream of ['flow', 'user', 'mgt'])
      for (let i = 0; i < 3; i++) here.gateway.outgoing.drop(`gw/1/${here.gateway.sn}/up/t/${stream}`);
    await connect(here);
    expect(await userBytes(here)).toBe(0);
    await order([here.id]);
    await until(here, 2);
    await importOf(here);
    expect(await statusOf(here)).toBe(9);
    expect(await userBytes(here)).toBe(3 * 3000 + 3);
    await importOf(here);
    expect(await userBytes(here)).toBe(3 * 3000 + 3);
  });

  it('waits for an offline gateway', async () => {
    const here = await shipWithData();
    here.gateway.power('off');
    await expect.poll(() => onlineState(here.id)).toBe(0);
    await order([here.id]);
    expect(await taskOf(here)).toMatchObject({ status: 0, message: dpiReasons.offline[1] });
    here.gateway.power('on');
    await connect(here);
    await until(here, 2);
  });

  it('waits for its scheduled time, which must be in the future', async () => {
    const here = await shipWithData();
    const report_at = fleet.clock.now() + 600;
    const past = await order([here.id], { method: 'appointment', report_at: fleet.clock.now() - 1 });
    expect(fieldsOf(past)).toHaveProperty('report_at');
    await order([here.id], { method: 'appointment', report_at });
    await dispatchTasks(fleet.deps);
    expect(await taskOf(here)).toMatchObject({ status: 0, report_at, message: dpiReasons.timed[1] });
    await retry(601);
    await until(here, 2);
  });
});

describe('an estimate', () => {
  it('returns the size, waits for confirmation, and then becomes a report', async () => {
    const here = await shipWithData(2);
    await order([here.id], { operate: 'estimate', limit_flow: 5 });
    await until(here, 7);
    const { id, estimate_size, size } = await taskOf(here);
    expect(estimate_size).toBeGreaterThan(0);
    expect(size).toBeNull();
    expect((await world.west.call(calls.report, { id, operate: 'report' })).code).toBe(errors.not_found.code);
    expect((await east.call(calls.report, { id, operate: 'report' })).code).toBe(0);
    await until(here, 2);
    expect((await taskOf(here)).size).toBe(estimate_size);
    await importOf(here);
    expect(await statusOf(here)).toBe(9);
    expect((await east.call(calls.report, { id, operate: 'report' })).code).toBe(errors.dpi_not_estimated.code);
  });

  it('ends with status 8 if it fails or the gateway does not support the command', async () => {
    const here = await shipWithData();
    here.gateway.faults.dpi = 'estimate';
    await order([here.id], { operate: 'estimate' });
    await until(here, 8);
    here.gateway.faults.dpi = undefined;
    here.gateway.faults.unsupported = new Set(['dpi.send']);
    await order([here.id], { operate: 'estimate' });
    await until(here, 8);
    expect((await taskOf(here)).message).toBe(dpiReasons.unsupported[1]);
  });

  it('runs immediately, and the report waits for the scheduled time', async () => {
    const here = await shipWithData();
    await order([here.id], { operate: 'estimate', method: 'appointment', report_at: fleet.clock.now() + 600 });
    await until(here, 7);
    await east.call(calls.report, { id: (await taskOf(here)).id, operate: 'report' });
    expect(await taskOf(here)).toMatchObject({ status: 0, message: dpiReasons.timed[1] });
    await retry(601);
    await until(here, 2);
  });

  it('of a continuous report is refused', async () => {
    const here = await ship();
    expect(fieldsOf(await order([here.id], { operate: 'estimate', mode: 'continuous' }))).toHaveProperty('mode');
  });
});

describe('a report that fails', () => {
  it.each([
    ['package', 5, 'no space for the package'],
    ['missing', 6, 'the data is no longer kept'],
  ] as const)('with the fault %s ends with status %i', async (fault, status, message) => {
    const here = await shipWithData();
    here.gateway.faults.dpi = fault;
    await order([here.id]);
    await until(here, status);
    expect((await taskOf(here)).message).toBe(message);
  });

  it('ends with status 10 if the gateway has no data of this kind in the range', async () => {
    const here = await shipWithData();
    const now = fleet.clock.now();
    await order([here.id], { method: 'appointment', report_at: now + 300, start_at: now + 100, end_at: now + 200 });
    await retry(301);
    await until(here, 10);
  });

  it('is refused at its field if it is immediate and its range is in the future', async () => {
    const here = await shipWithData();
    const now = fleet.clock.now();
    const range = { start_at: now + 100, end_at: now + 200 };
    expect((await order([here.id], range)).data).toEqual({ fields: { start_at: '立即上报的数据开始时间不能晚于当前时间' } });
    expect((await order([here.id], { ...range, method: 'appointment', report_at: now + 300 })).data).toMatchObject({ success: 1 });
  });

  it('ends with status 6 if the data is older than the retention time of the gateway', async () => {
    const here = await shipWithData();
    const now = fleet.clock.now();
    await order([here.id], { start_at: now - 40 * 86_400, end_at: now - 39 * 86_400 });
    await until(here, 6);
  });

  it('is tried four times before it ends with status 4', { tags: 'all' }, async () => {
    const here = await shipWithData();
    here.gateway.faults.dpi = 'upload';
    await order([here.id]);
    for (const wait of [61, 241, 961]) {
      await expect.poll(async () => (await rowOf(here)).err).toBe('connection refused');
      expect((await taskOf(here)).message).toContain('connection refused');
      expect(await statusOf(here)).toBe(0);
      await retry(wait);
    }
    await until(here, 4);
    expect(await rowOf(here)).toMatchObject({ ended: true, tries: 4 });
  });

  it('is sent again if the file does not match the hash of the gateway', async () => {
    const here = await shipWithData();
    here.gateway.faults.dpi = 'corrupt';
    await order([here.id]);
    await expect.poll(async () => (await rowOf(here)).err).toBe('hash');
    const { used_bytes } = await rowOf(here);
    expect(used_bytes).toBeGreaterThan(0);
    here.gateway.faults.dpi = undefined;
    await retry(61);
    await until(here, 2);
    expect((await rowOf(here)).used_bytes).toBe(used_bytes);
  });

  it('expires with status 4 if the gateway stays offline', async () => {
    const here = await ship();
    await order([here.id]);
    expect(await statusOf(here)).toBe(0);
    fleet.clock.advance(8 * 86_400);
    east = await fleet.login('east');
    await sweepField(fleet.deps.pool, fleet.clock.now());
    expect(await taskOf(here)).toMatchObject({ status: 4, message: dpiReasons.expired[1] });
  });

  it('is retried if the reported file does not arrive, and ends with status 4', { tags: 'all' }, async () => {
    const here = await shipWithData();
    here.gateway.faults.dpi = 'skip';
    await order([here.id]);
    for (const wait of [61, 241, 961, 0]) {
      await expect.poll(async () => (await rowOf(here)).said_sha256).not.toBeNull();
      await dispatchTasks(fleet.deps);
      expect(await statusOf(here), 'the file may still arrive').toBe(1);
      await retry(601);
      if (wait === 0) break;
      expect(await rowOf(here)).toMatchObject({ status: 0, err: 'not_received', command_id: null });
      await retry(wait);
    }
    expect(await taskOf(here)).toMatchObject({ status: 4, message: dpiReasons.not_received[1] });
    expect(await rowOf(here)).toMatchObject({ ended: true, tries: 4 });
  });

  it('is completed by a later try if the reported file does not arrive at first', { tags: 'all' }, async () => {
    const here = await shipWithData();
    here.gateway.faults.dpi = 'skip';
    await order([here.id]);
    await expect.poll(async () => (await rowOf(here)).said_sha256).not.toBeNull();
    here.gateway.faults.dpi = undefined;
    await retry(601);
    await retry(61);
    await until(here, 2);
    await importOf(here);
    expect(await taskOf(here)).toMatchObject({ status: 9, message: '' });
  });

  it('ends when the device is transferred or deleted', async () => {
    const moved = await ship();
    const gone = await ship();
    await order([moved.id, gone.id]);
    const ids = [(await rowOf(moved)).id, (await rowOf(gone)).id];
    await fleet.db.updateTable('device').set({ agent_id: world.westId }).where('id', '=', moved.id).execute();
    await fleet.db.deleteFrom('device').where('id', '=', gone.id).execute();
    await dispatchTasks(fleet.deps);
    const rows = await fleet.db.selectFrom('dpi_task').select(['status', 'err']).where('id', 'in', ids).orderBy('id').execute();
    expect(rows).toEqual([
      { status: 3, err: 'device_moved' },
      { status: 3, err: 'device_gone' },
    ]);
  });
});

describe('an import that fails', () => {
  it('stays in status 2 with a message and is retried by the job', async () => {
    const here = await shipWithData();
    await order([here.id]);
    await until(here, 2);
    const { file_key, id } = await rowOf(here);
    const store = openFileStore(fleet.deps.config);
    const whole = await buffer(await store.get(file_key ?? ''));
    await store.put(file_key ?? '', Readable.from([whole.subarray(0, whole.length - 9)]), whole.length - 9);
    await importOf(here);
    expect(await taskOf(here)).toMatchObject({ status: 2, message: expect.stringContaining(dpiReasons.damaged[1]) });
    await store.put(file_key ?? '', Readable.from([whole]), whole.length);
    const jobs = () => fleet.db.selectFrom('job').select('id').where('kind', '=', 'dpi_import').execute();
    const before = (await jobs()).length;
    await retry(61);
    expect((await jobs()).length).toBeGreaterThan(before);
    await importTask(fleet.deps, id);
    expect(await statusOf(here)).toBe(9);
  });
});

describe('an import that cannot succeed', () => {
  const uploaded = async () => {
    const here = await shipWithData();
    await order([here.id]);
    await until(here, 2);
    return { here, ...(await rowOf(here)) };
  };
  const stateOf = (id: number) =>
    fleet.db.selectFrom('dpi_task').select(['status', 'err', 'ended']).where('id', '=', id).executeTakeFirstOrThrow();

  it('ends with status 4 at the ninth try if its file is missing', { tags: 'all' }, async () => {
    const { here, id, file_key } = await uploaded();
    await openFileStore(fleet.deps.config).remove(file_key ?? '');
    for (let tries = 0; tries < 8; tries++) {
      await importOf(here);
      expect(await stateOf(id)).toEqual({ status: 2, err: 'import missing', ended: false });
    }
    await importOf(here);
    expect(await stateOf(id)).toEqual({ status: 4, err: 'missing', ended: true });
    expect((await taskOf(here)).message).toBe(dpiReasons.missing[1]);
  });

  it('ends with status 3 if its device was deleted', async () => {
    const { here, id } = await uploaded();
    here.gateway.power('off');
    await expect.poll(() => onlineState(here.id)).toBe(0);
    await fleet.db.deleteFrom('device').where('id', '=', here.id).execute();
    await importTask(fleet.deps, id);
    expect(await stateOf(id)).toEqual({ status: 3, err: 'device_gone', ended: true });
  });
});

/** Bytes that the gateway sent as files since the last call. */
const fileBytes = ({ gateway }: Ship) => {
  gateway.own.assign('6d');
  return gateway.own.take().reduce((sum, { svc, u }) => sum + (svc === 'file' ? u : 0), 0);
};

const uploadUrlOf = async (here: Ship) => {
  const command = await fleet.db.selectFrom('device_command').select('args').where('device_id', '=', here.id).executeTakeFirstOrThrow();
  const { put: address } = Object(command.args);
  return String(address).replace(/^http:\/\/[^/]+/, fleet.base);
};

describe('an upload', () => {
  it('that is interrupted at 99 % resumes and sends no byte twice', { tags: 'all' }, async () => {
    const here = await shipWithData(60);
    fileBytes(here);
    here.gateway.faults.drops = 2;
    await order([here.id]);
    await until(here, 2);
    expect(here.gateway.faults.drops).toBe(0);
    const sent = fileBytes(here);
    expect(sent).toBe((await rowOf(here)).size);
  });

  it('resumes with the next command after the gateway gave up', { tags: 'all' }, async () => {
    const here = await shipWithData(60);
    fileBytes(here);
    here.gateway.faults.drops = 5;
    await order([here.id]);
    await expect.poll(async () => (await rowOf(here)).err).toBe('connection lost');
    await retry(61);
    await until(here, 2);
    expect(fileBytes(here)).toBe((await rowOf(here)).size);
  });

  it('resumes after a power loss and sends no byte twice', async () => {
    const here = await shipWithData(60);
    fileBytes(here);
    here.gateway.faults.hold = 98;
    await order([here.id]);
    await expect.poll(async () => (await taskOf(here)).progress).toBeGreaterThanOrEqual(98);
    here.gateway.power('cut');
    here.gateway.faults.hold = undefined;
    here.gateway.power('on');
    await connect(here);
    await until(here, 2);
    const sent = fileBytes(here);
    expect(sent).toBe((await rowOf(here)).size);
    await importOf(here);
    expect(await statusOf(here)).toBe(9);
  });

  it('completes after a power loss during packaging', { tags: 'all' }, async () => {
    const here = await shipWithData(3);
    here.gateway.faults.dpi = 'power';
    await order([here.id]);
    await expect.poll(() => here.gateway.powered).toBe(false);
    expect(await statusOf(here)).toBeLessThan(2);
    here.gateway.power('on');
    await connect(here);
    await until(here, 2);
    await importOf(here);
    expect(await statusOf(here)).toBe(9);
  });

  it('stays within its traffic limit, and shows that the limit was reached', async () => {
    const here = await shipWithData(40);
    await order([here.id]);
    await until(here, 2);
    const { size: whole } = await rowOf(here);
    const limit = Math.floor((whole ?? 0) / 2);
    await order([here.id], { limit_flow: 1 });
    await until(here, 2);
    // The form accepts whole megabytes; the gateway and the file exchange count bytes.
    await fleet.db
      .updateTable('dpi_task')
      .set({ limit_flow: limit })
      .where('id', '=', (await rowOf(here)).id)
      .execute();
    const task = await rowOf(here);
    await fleet.db
      .updateTable('dpi_task')
      .set({ status: 0, upload_id: null, file_sha256: null, said_sha256: null, next_at: 0, size: null })
      .where('id', '=', task.id)
      .execute();
    await dispatchTasks(fleet.deps);
    await until(here, 2);
    const cut = await rowOf(here);
    expect(cut.size).toBeGreaterThan(0);
    expect(cut.size).toBeLessThanOrEqual(limit);
    expect(cut.cut_at).not.toBeNull();
    await importOf(here);
    expect((await taskOf(here)).message).toContain('Traffic limit reached');
  });

  it('that exceeds its limit by one byte is refused by the file exchange', async () => {
    const here = await ship();
    await order([here.id], { limit_flow: 1 });
    const url = await uploadUrlOf(here);
    const limit = 1024 * 1024;
    const put = (from: number, bytes: number, total: number) =>
      fetch(url, {
        method: 'PUT',
        headers: { 'content-range': `bytes ${from}-${from + bytes - 1}/${total}` },
        body: new Uint8Array(bytes),
      });
    expect((await put(0, 10, limit + 1)).status).toBe(413);
    expect((await put(0, limit - 1, limit)).status).toBe(202);
    // A restart would send bytes twice.
    const again = await fetch(url, { method: 'PUT', body: new Uint8Array(10) });
    expect([again.status, again.headers.get('upload-offset')]).toEqual([409, String(limit - 1)]);
    expect((await put(limit - 1, 2, limit + 1)).status).toBe(413);
    expect((await put(limit - 1, 1, limit)).status).toBe(201);
    expect((await rowOf(here)).file_size).toBe(limit);
  });
});

describe('a stop', () => {
  const stop = async (here: Ship, by = east) => by.call(calls.stop, { ids: [(await rowOf(here)).id] });

  it('withdraws the command of a task that the gateway has not received', async () => {
    const here = await ship();
    await order([here.id]);
    expect((await stop(here)).data).toMatchObject({ success: 1 });
    expect(await taskOf(here)).toMatchObject({ status: 3, message: dpiReasons.stopped[1] });
    const commands = await fleet.db.selectFrom('device_command').select(['op', 'state']).where('device_id', '=', here.id).execute();
    expect(commands).toEqual([{ op: 'dpi.send', state: 6 }]);
  });

  it('before the scheduled time ends the task', async () => {
    const here = await ship();
    await order([here.id], { method: 'appointment', report_at: fleet.clock.now() + 600 });
    await stop(here);
    await retry(601);
    expect(await statusOf(here)).toBe(3);
  });

  it('after the estimate ends the task', async () => {
    const here = await shipWithData();
    await order([here.id], { operate: 'estimate' });
    await until(here, 7);
    await stop(here);
    expect(await statusOf(here)).toBe(3);
  });

  it('during packaging ends the work of the gateway', async () => {
    const here = await shipWithData(2);
    here.gateway.faults.dpi = 'power';
    await order([here.id]);
    await expect.poll(() => here.gateway.powered).toBe(false);
    await stop(here);
    here.gateway.power('on');
    await connect(here);
    await expect.poll(() => here.gateway.dpi.running).toEqual([]);
    expect(await statusOf(here)).toBe(3);
  });

  it('during the upload ends the upload at the gateway', async () => {
    const here = await shipWithData(40);
    here.gateway.faults.hold = 50;
    await order([here.id]);
    await until(here, 1);
    await stop(here);
    await expect.poll(() => here.gateway.dpi.running).toEqual([]);
    here.gateway.faults.hold = undefined;
    expect(await taskOf(here)).toMatchObject({ status: 3 });
  });

  it('makes the file exchange refuse further bytes, even if the gateway does not receive the stop', async () => {
    const here = await ship();
    await order([here.id]);
    const url = await uploadUrlOf(here);
    await stop(here);
    expect((await fetch(url, { method: 'PUT', body: new Uint8Array(10) })).status).toBe(410);
  });

  it('between two tries deletes the package at the gateway', async () => {
    const here = await shipWithData();
    here.gateway.faults.dpi = 'upload';
    await order([here.id]);
    await expect.poll(async () => (await rowOf(here)).err).toBe('connection refused');
    expect(here.gateway.dpi.packages).toHaveLength(1);
    await stop(here);
    const stops = () =>
      fleet.db.selectFrom('device_command').select('state').where('device_id', '=', here.id).where('op', '=', 'dpi.stop').execute();
    await expect.poll(stops).toEqual([{ state: 3 }]);
    expect(here.gateway.dpi.packages).toEqual([]);
    await retry(61);
    expect(await statusOf(here)).toBe(3);
  });

  it('is refused after the upload and after the end of the task', async () => {
    const here = await shipWithData();
    await order([here.id]);
    await until(here, 2);
    expect((await stop(here)).data.list[0]).toMatchObject({ success: false, message: errors.dpi_ended.text[0] });
    await importOf(here);
    expect((await stop(here)).data).toMatchObject({ fail: 1 });
    expect(await statusOf(here)).toBe(9);
  });
});

describe('a continuous report', () => {
  const continuous = (here: Ship, more: object = {}) =>
    order([here.id], { mode: 'continuous', start_at: undefined, end_at: undefined, ...more });

  it('runs until it is stopped, over any link and across restarts', async () => {
    const here = await ship();
    await connect(here);
    await continuous(here);
    await until(here, 1);
    expect((await continuous(here)).data.list[0]).toMatchObject({ success: false, message: errors.dpi_running.text[0] });
    // Bulk data waits on L-band; a continuous report does not.
    here.gateway.current = 'l_band';
    makeTraffic(here, 2);
    await expect.poll(async () => (await taskOf(here)).size).toBeGreaterThan(0);
    const { size, message } = await taskOf(here);
    expect(message).toContain('Last report');
    await expect.poll(() => userBytes(here)).toBe(2 * 3000 + 1);
    here.gateway.current = '6d';
    here.gateway.reboot();
    here.gateway.current = '6d';
    await connect(here);
    makeTraffic(here, 1);
    await expect.poll(async () => (await taskOf(here)).size).toBeGreaterThan(size ?? 0);
    const { id } = await taskOf(here);
    expect((await east.call(calls.stop, { ids: [id] })).data).toMatchObject({ success: 1 });
    expect(await statusOf(here)).toBe(3);
    await expect.poll(() => here.gateway.sections.get('dpi_report')?.doc).toEqual({});
  });

  it('ends with status 9 at its traffic limit, and its configuration section is then empty', async () => {
    const here = await ship();
    await connect(here);
    await continuous(here, { limit_flow: 1 });
    await until(here, 1);
    const { task_no } = await rowOf(here);
    await fleet.db.updateTable('dpi_task').set({ limit_flow: 600 }).where('task_no', '=', task_no).execute();
    await setDesired(fleet.db, here.id, 'dpi_report', { flow_usr: { task: task_no, speed: 0, max: 600 } }, { now: fleet.clock.now() });
    await expect.poll(() => here.gateway.sections.get('dpi_report')?.rev).toBeGreaterThan(1);
    makeTraffic(here, 10);
    await until(here, 9);
    expect((await taskOf(here)).size).toBeLessThanOrEqual(600);
    expect((await taskOf(here)).message).toBe(dpiReasons.full[1]);
    await dispatchTasks(fleet.deps);
    await expect.poll(() => here.gateway.sections.get('dpi_report')?.doc).toEqual({});
  });

  it('ends with status 4 if the gateway refuses it', async () => {
    const here = await ship();
    here.gateway.faults.reject = new Set(['dpi_report']);
    await connect(here);
    await continuous(here);
    await until(here, 4);
  });
});

describe('DPI tasks', () => {
  it('are hidden from other VNOs, and from staff without access to the device', async () => {
    const one = await ship();
    const two = await ship();
    await order([one.id, two.id]);
    const west = await fleet.login('west');
    const admin = await fleet.login('admin');
    const role = await makeRole(east, 'Reporter', grantsOf(['dpi_send']), {
      scope: 'device',
      device_limit: 'specified',
      device_ids: [one.id],
    });
    await makeStaff(east, 'reporter', role);
    const staff = await fleet.login('reporter');
    expect(await tasksOf(one, staff)).toHaveLength(1);
    expect(await tasksOf(two, staff)).toHaveLength(0);
    expect(await tasksOf(one, west)).toHaveLength(0);
    expect(await tasksOf(one, admin)).toHaveLength(1);
    const { id } = await taskOf(two);
    for (const by of [staff, west]) {
      expect((await by.call(calls.stop, { ids: [id] })).data).toMatchObject({ success: 0, list: [{ message: errors.not_found.text[0] }] });
      expect((await by.call(calls.report, { id, operate: 'report' })).code).toBe(errors.not_found.code);
      expect(fieldsOf(await order([two.id], {}, by))).toHaveProperty('device_ids');
    }
    expect((await order([one.id], {}, staff)).data).toMatchObject({ success: 1 });
  });

  it('are refused for gateways with old firmware', async () => {
    const here = await ship({ version: '02.01.00' });
    await connect(here);
    expect((await order([here.id])).data.list[0]).toMatchObject({ success: false, message: '网关不支持DPI上报，请升级网关' });
  });
});
