import { receivedAnnouncementCalls } from '@farlink/contract/advanced/announcement.ts';
import { deviceCalls } from '@farlink/contract/device/device.ts';
import { deviceDetailCalls } from '@farlink/contract/device/device-detail.ts';
import { groupCalls } from '@farlink/contract/device/group.ts';
import { loadCalls } from '@farlink/contract/device/load.ts';
import { transferCalls } from '@farlink/contract/device/transfer.ts';
import { feedbackCalls } from '@farlink/contract/feedback/feedback.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../../../test/api.ts';
import { makeBillingFixture } from '../../../../test/billing-fixture.ts';
import { type FleetApi, startFleetApi } from '../../../../test/fleet-api.ts';
import { makeBranches, makeVno } from '../../../../test/world.ts';
import { submitFeedback } from '../../../domain/feedback/submit-feedback.ts';
import { completeTransfer } from '../../../domain/transfer/complete-transfer.ts';
import { sweepField } from '../../../field/sweep.ts';
import { sendCommand } from '../../../orders/command.ts';

let api: FleetApi;
let admin: Caller;
let east: Caller;
let west: Caller;
let eastId: number;
let westId: number;
let childId: number;
let eastRole: number;
let n = 0;

beforeAll(async () => {
  api = await startFleetApi();
  ({ admin, east, west, eastId, westId, childId, eastRole } = await makeBranches(api));
});
afterAll(() => api.close());

const device = (id: number) => api.db.selectFrom('device').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const transferOf = (id: number) =>
  api.db.selectFrom('device_transfer').selectAll().where('device_id', '=', id).orderBy('id', 'desc').executeTakeFirstOrThrow();

const shipOf = async (agentId: number) => {
  const ship = await api.addGateway(agentId, `GIV-${++n}`);
  await ship.gateway.connect();
  await vi.waitFor(async () => expect((await device(ship.id)).online_state).toBe(1));
  return ship;
};

const transfer = (by: Caller, ids: readonly number[], more: object = {}) =>
  by.call(transferCalls.transfer, { ids, vno_id: westId, ...more });
const messages = async (reply: ReturnType<typeof transfer>) => (await reply).data.list.map((row) => row.message);

/** Reconnects the gateway until the transfer is complete, as the simulator does. */
const untilOwner = (gateway: Gateway, id: number, owner: number) =>
  vi.waitFor(
    async () => {
      await gateway.connect();
      expect(await device(id)).toMatchObject({ agent_id: owner, online_state: 1, transfer_status: null });
    },
    { timeout: 10_000, interval: 50 },
  );

/** Advances the clock in two steps with a request between, so the sessions do not expire. */
const later = async (seconds: number) => {
  const half = Math.floor(seconds / 2);
  api.clock.advance(half);
  for (const caller of [admin, east, west]) await caller.call(deviceCalls.option);
  api.clock.advance(seconds - half);
  await sweepField(api.deps.pool, api.clock.now());
};

describe('a transfer', () => {
  it('moves the device and its accounts without balance, and removes its notification rules and package bindings', async () => {
    const { id, gateway } = await shipOf(eastId);
    const billing = await makeBillingFixture(api, eastId, 'giving');
    const pkg = await billing.makePackage();
    await api.db
      .updateTable('package')
      .set({ device_ids: [billing.device_id, id] })
      .where('id', '=', pkg.id)
      .execute();
    const moving = await billing.makeAccount({ device_id: id });
    const owed = await billing.makeAccount({ device_id: id });
    await sql`update subscriber set balance = 5 where id = ${owed.id}`.execute(api.db);
    await api.db
      .insertInto('notify_rule')
      .values({
        kind: 'status',
        device_id: id,
        events: ['online'],
        emails: ['a@sea.cn'],
        lang: 'zh',
        creator: 'x',
        create_at: 1,
        update_at: 1,
      })
      .execute();
    const before = await device(id);
    expect(await messages(transfer(admin, [id], { remark: '换东家' }))).toEqual(['']);
    expect(await device(id)).toMatchObject({ agent_id: eastId, transfer_status: 'transferring' });
    await untilOwner(gateway, id, westId);

    const now = await device(id);
    expect(now.key_hash).not.toBe(before.key_hash);
    expect(now).toMatchObject({ next_key_hash: null, device_group_id: null, portal_id: null });
    expect(await billing.account(moving.id)).toMatchObject({ agent_id: westId, device_id: id });
    expect(await billing.account(owed.id)).toMatchObject({ agent_id: eastId, device_id: null });
    expect(await api.db.selectFrom('notify_rule').select('id').where('device_id', '=', id).execute()).toEqual([]);
    const { device_ids } = await api.db.selectFrom('package').select('device_ids').where('id', '=', pkg.id).executeTakeFirstOrThrow();
    expect(device_ids).toEqual([billing.device_id]);
    expect(await transferOf(id)).toMatchObject({ state: 'done', residue: { accounts_moved: 1, accounts_left: 1, packages: 1 } });
    const { rows } = await api.deps.pool.query(`select args from device_command where device_id = $1 and op = 'vno.transfer'`, [id]);
    expect(rows[0].args).not.toHaveProperty('key');

    const latestTransfer = async (by: Caller) => (await by.call(transferCalls.list, { device_id: id })).data.list?.[0];
    expect(await latestTransfer(admin)).toMatchObject({ state: 'done', accounts_left: 1, remark: '换东家' });
    expect(await latestTransfer(west)).toMatchObject({ state: 'done', from_name: null, accounts_left: null });
    expect((await east.call(transferCalls.list, { device_id: id })).status).toBe(404);
  });

  it('leaves the accounts at the old VNO if keep_users is off', async () => {
    const { id, gateway } = await shipOf(eastId);
    const billing = await makeBillingFixture(api, eastId, 'staying');
    const account = await billing.makeAccount({ device_id: id });
    await transfer(admin, [id], { keep_users: false });
    await untilOwner(gateway, id, westId);
    expect(await billing.account(account.id)).toMatchObject({ agent_id: eastId, device_id: null });
  });

  it('is followed by the login password of the new VNO, even if the old VNO has set it more often', async () => {
    const { id, gateway } = await shipOf(eastId);
    const setPassword = async (vno_id: number, password: string) =>
      expect(await admin.call(vnoCalls.devicePwd, { vno_id, password, repassword: password })).toMatchObject({ code: 0 });
    const hasLatest = async () => {
      const row = await api.db
        .selectFrom('desired_section')
        .select('hash')
        .where('device_id', '=', id)
        .where('section', '=', 'login')
        .execute();
      return row.length === 1 && gateway.sections.get('login')?.hash === row[0]?.hash;
    };
    for (const password of ['east001', 'east002', 'east003']) await setPassword(eastId, password);
    await vi.waitFor(async () => expect(await hasLatest()).toBe(true), { timeout: 10_000 });
    expect(gateway.sections.get('login')?.rev).toBe(3);
    await transfer(admin, [id]);
    await untilOwner(gateway, id, westId);
    await setPassword(westId, 'west001');
    await vi.waitFor(async () => expect(await hasLatest()).toBe(true), { timeout: 10_000 });
  });

  it('is refused with the reason if the device is offline, foreign, too old, in transfer or already in this VNO', async () => {
    const offline = await api.addGateway(eastId, `GIV-${++n}`);
    const ship = await shipOf(eastId);
    // The transfer stays open, however fast the gateway is.
    ship.gateway.faults.transfer = 'ignore';
    const foreign = await shipOf(westId);
    const old = await shipOf(eastId);
    await api.db
      .updateTable('device')
      .set({ caps: ['docker'] })
      .where('id', '=', old.id)
      .execute();
    expect(await messages(transfer(admin, [offline.id, ship.id, foreign.id, old.id]))).toEqual([
      '设备当前不在线',
      '',
      '转入VNO不能是当前VNO',
      '网关不支持设备转移，请升级网关',
    ]);
    expect(await messages(transfer(admin, [ship.id]))).toEqual(['设备正在转移，请等待完成或清除转移状态']);
    expect((await east.call(deviceCalls.remove, { ids: [ship.id] })).data.fail).toBe(1);
    expect(await messages(transfer(west, [ship.id], { vno_id: westId }))).toEqual(['数据不存在']);
    expect((await transfer(east, [ship.id])).data).toMatchObject({ fields: { vno_id: '请选择有效的VNO' } });
  });

  it('fails when the gateway refuses, with its reason', async () => {
    const { id, gateway } = await shipOf(eastId);
    gateway.faults.transfer = 'refuse';
    await transfer(admin, [id]);
    await vi.waitFor(async () =>
      expect(await device(id)).toMatchObject({ transfer_status: 'failed', agent_id: eastId, next_key_hash: null }),
    );
    expect((await transferOf(id)).reason_zh).toBe('网关拒绝转移：refused');
  });

  it('fails after 15 minutes if the gateway does not react, and the old key stays valid', async () => {
    const { id, gateway } = await shipOf(eastId);
    gateway.faults.transfer = 'ignore';
    await transfer(admin, [id]);
    await later(899);
    expect((await device(id)).transfer_status).toBe('transferring');
    await later(1);
    expect(await device(id)).toMatchObject({ transfer_status: 'failed', agent_id: eastId });
    expect((await transferOf(id)).reason_en).toBe('The gateway did not complete the transfer within 15 minutes');
    gateway.stop(false);
    await vi.waitFor(async () => expect(await gateway.connect()).toBe(true));
    expect((await admin.call(transferCalls.clear, { ids: [id] })).data.success).toBe(1);
    expect((await device(id)).transfer_status).toBeNull();
    expect((await admin.call(transferCalls.clear, { ids: [id] })).data.list[0]?.message).toBe('设备没有转移状态');
  });

  it('fails if the gateway reconnects too late with the new key, and the device keeps its owner', async () => {
    const { id, gateway } = await shipOf(eastId);
    gateway.faults.transfer = 'ignore';
    await transfer(admin, [id]);
    const { args } = await api.db.selectFrom('device_command').select('args').where('device_id', '=', id).executeTakeFirstOrThrow();
    if (typeof args !== 'object' || args === null || !('key' in args)) throw new Error('no key was sent');
    gateway.stop(false);
    gateway.keys.prepare(String(args.key));
    await later(900);
    expect(await device(id)).toMatchObject({ transfer_status: 'failed', agent_id: eastId });
    await vi.waitFor(async () => expect(await gateway.connect()).toBe(true));
    expect(gateway.keys.next).toBeUndefined();
    expect(await device(id)).toMatchObject({ agent_id: eastId, next_key_hash: null });
  });

  it('that is cleared cannot be completed with the key that was sent', async () => {
    const { id, gateway } = await shipOf(eastId);
    gateway.faults.transfer = 'ignore';
    await transfer(admin, [id]);
    const { next_key_hash } = await device(id);
    expect((await admin.call(transferCalls.clear, { ids: [id] })).data.success).toBe(1);
    expect(await completeTransfer(api.db, id, next_key_hash ?? '', api.clock.now())).toBe(false);
    expect(await transferOf(id)).toMatchObject({ state: 'cleared' });
    expect(await device(id)).toMatchObject({ agent_id: eastId, transfer_status: null });
  });
});

describe('the log of a transfer', () => {
  const linesOf = async (by: Caller, sn: string) =>
    (await by.call(logCalls.own, { content: sn })).data.list
      .map(({ content, message }) => [content, message].filter(Boolean).join('：'))
      .reverse();
  const readyShip = async () => {
    const { id } = await api.addGateway(eastId, `GIV-${++n}`);
    await api.db
      .updateTable('device')
      .set({ online_state: 1, caps: ['transfer'], status: 1 })
      .where('id', '=', id)
      .execute();
    return device(id);
  };

  it('has start and end at the old VNO, the new VNO and that of the operator, and tells the old VNO', async () => {
    const { id, sn } = await readyShip();
    await transfer(admin, [id]);
    const { next_key_hash } = await device(id);
    expect(await completeTransfer(api.db, id, next_key_hash ?? '', api.clock.now())).toBe(true);
    const ship = `ship ${sn} (${sn})`;
    expect(await linesOf(east, sn)).toEqual([`开始转出设备 ${ship}`, `设备 ${ship} 已转出`]);
    expect(await linesOf(west, sn)).toEqual([`开始转入设备 ${ship}`, `设备 ${ship} 已转入`]);
    expect(await linesOf(admin, sn)).toEqual([`将设备 ${ship} 转移到VNO VNO west`, `设备 ${ship} 已转出`]);
    const announcementsOf = async (by: Caller) =>
      (await by.call(receivedAnnouncementCalls.received)).data.list.filter(({ title }) => title?.includes(sn));
    expect(await announcementsOf(east)).toHaveLength(1);
    expect(await announcementsOf(west)).toEqual([]);
  });

  it('has the failure with its reason, and the end of a cleared transfer', async () => {
    const { id, sn } = await readyShip();
    await transfer(admin, [id]);
    await later(900);
    const ship = `ship ${sn} (${sn})`;
    const failure = '网关未在15分钟内完成转移';
    expect(await linesOf(east, sn)).toEqual([`开始转出设备 ${ship}`, `转出设备 ${ship}：${failure}`]);
    expect(await linesOf(west, sn)).toEqual([`开始转入设备 ${ship}`, `转入设备 ${ship}：${failure}`]);
    expect((await linesOf(admin, sn)).at(-1)).toBe(`转出设备 ${ship}：${failure}`);
    const second = await readyShip();
    await transfer(admin, [second.id]);
    await admin.call(transferCalls.clear, { ids: [second.id] });
    expect((await linesOf(west, second.sn)).at(-1)).toBe(`已取消转入设备 ship ${second.sn} (${second.sn})`);
  });

  it('is preceded by the accounts of the group that lose their only gateway', async () => {
    const { id } = await readyShip();
    const group = (await east.call(groupCalls.create, { name: '船队', device_ids: [id] })).data.id;
    const billing = await makeBillingFixture(api, eastId, 'fleet');
    await billing.makeAccount({ device_id: null, device_group_id: group });
    const preview = async () => (await admin.call(transferCalls.preview, { ids: [id], vno_id: westId })).data.notes.map(({ text }) => text);
    expect((await preview())[1]).toBe('设备组 船队 没有其他设备：绑定该组的 1 个账号将没有网关');
    const other = await readyShip();
    await api.db.updateTable('device').set({ device_group_id: group }).where('id', '=', other.id).execute();
    expect(await preview()).toHaveLength(1);
  });
});

describe('the past of a transferred device', () => {
  /** Samples, a command, a log line and a feedback of one time, recognised by `mark`. */
  const addPast = async (id: number, agent_id: number, mark: number) => {
    const at = api.clock.now();
    const sample = { device_id: id, at };
    await api.db
      .insertInto('device_track')
      .values({ ...sample, lat: mark, lon: mark })
      .execute();
    await api.db
      .insertInto('device_load')
      .values({ ...sample, cpu: mark, memory: mark })
      .execute();
    await api.db
      .insertInto('device_flow')
      .values({ ...sample, seconds: 1, link: 'lte', up_bytes: mark, down_bytes: 0 })
      .execute();
    const by = { uid: 1, name: `operator ${mark}`, agent_id };
    await sendCommand(api.db, id, 'docker.info', {}, { now: at, deadline: at + 1, by });
    const line = { action: 'update', content_zh: `${mark}`, content_en: `${mark}`, result: 'success', subject: `device:${id}` } as const;
    await api.db
      .insertInto('syslog')
      .values({ ...line, agent_id, module: 'device', username: by.name, name: by.name, ip: '::1', user_agent: '', create_at: at })
      .execute();
    const text = { type: 'network', level: 'general', content: 'slow', account: 'crew', phone: '13800000001', attachments: [] } as const;
    return (await submitFeedback(api.deps, { agent_id, device_id: id, subscriber_id: null, ...text })).id;
  };
  const marksOf = async (by: Caller, id: number) => {
    const operators = (await by.call(deviceDetailCalls.commands, { id, op: 'docker.info' })).data.list;
    // The log also has the lines of the transfers.
    const lines = (await by.call(deviceDetailCalls.log, { id })).data.list.filter(({ content }) => /^\d+$/.test(content ?? ''));
    return {
      track: (await by.call(deviceDetailCalls.track, { id })).data.list.map(({ lat }) => lat),
      load: (await by.call(loadCalls.series, { device_id: id })).data.list.map(({ cpu }) => cpu),
      commands: operators.map(({ operator }) => Number(operator?.replace('operator ', ''))).sort(),
      log: lines.map(({ content }) => Number(content)).sort(),
    };
  };
  const all = (...marks: number[]) => ({ track: marks, load: marks, commands: marks, log: marks });
  const around = async (by: Caller, id: number) => {
    const { load, flow } = (await by.call(feedbackCalls.around, { id })).data;
    return { load: load.map(({ cpu }) => cpu), flow: flow.map(({ up }) => up) };
  };
  /** Completes the transfer with the key that the gateway would use. */
  const moveTo = async (id: number, vno_id: number) => {
    expect(await messages(transfer(admin, [id], { vno_id }))).toEqual(['']);
    const { next_key_hash } = await device(id);
    api.clock.advance(5);
    expect(await completeTransfer(api.db, id, next_key_hash ?? '', api.clock.now())).toBe(true);
    await api.db.updateTable('device').set({ online_state: 1 }).where('id', '=', id).execute();
  };
  const silentShip = async (agentId: number) => {
    const { id } = await api.addGateway(agentId, `GIV-${++n}`);
    await api.db
      .updateTable('device')
      .set({ online_state: 1, caps: ['transfer'], status: 1 })
      .where('id', '=', id)
      .execute();
    return id;
  };

  it('is hidden from the new VNO, and the time at the new VNO is hidden from the old one', async () => {
    const id = await silentShip(eastId);
    const before = await addPast(id, eastId, 11);
    await later(600);
    await moveTo(id, westId);
    expect(await marksOf(west, id)).toEqual(all());
    await later(600);
    const after = await addPast(id, westId, 12);
    expect(await marksOf(west, id)).toEqual(all(12));
    expect(await marksOf(admin, id)).toEqual(all(11, 12));
    expect(await around(west, after)).toEqual({ load: [12], flow: [12] });
    expect(await around(east, before)).toEqual({ load: [11], flow: [11] });
    expect(await around(admin, before)).toEqual({ load: [11, 12], flow: [11, 12] });

    await later(600);
    await moveTo(id, eastId);
    expect(await marksOf(east, id)).toEqual(all(11));
  });

  it('is not shown as its current state, until the gateway reports to the new VNO', async () => {
    const id = await silentShip(eastId);
    const report = { boot: 'b', n: 1, at: api.clock.now(), seen_at: api.clock.now() };
    await api.db
      .insertInto('device_status')
      .values({ device_id: id, ...report, lat: 31, lon: 122, cpu: 77, memory: 66, links: JSON.stringify({ lte1: { s: 1 } }) })
      .execute();
    expect((await east.call(deviceDetailCalls.now, { id })).data).toMatchObject({
      cpu: 77,
      position: { lat: 31 },
      links: [{ state: 'on' }],
    });
    await moveTo(id, westId);
    expect((await west.call(deviceDetailCalls.now, { id })).data).toMatchObject({ cpu: null, memory: null, position: null, links: [] });
  });

  it('stays visible to a VNO above both owners', async () => {
    const id = await silentShip(childId);
    const siblingId = await makeVno(east, `sibling${n}`, eastRole);
    await addPast(id, childId, 21);
    await later(600);
    await moveTo(id, siblingId);
    expect(await marksOf(await api.login(`sibling${n}`), id)).toEqual(all());
    for (const by of [admin, east]) expect(await marksOf(by, id)).toEqual(all(21));
  });
});

describe('an interrupted or concurrent transfer', () => {
  const waiting = async () => {
    const { id, gateway } = await shipOf(eastId);
    gateway.faults.transfer = 'ignore';
    await transfer(admin, [id]);
    return { id, hash: (await device(id)).next_key_hash ?? '' };
  };

  it('leaves the device with one owner if it is cleared and completed concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, hash } = await waiting();
      const [taken] = await Promise.all([
        completeTransfer(api.db, id, hash, api.clock.now()),
        admin.call(transferCalls.clear, { ids: [id] }),
      ]);
      const { agent_id, next_key_hash } = await device(id);
      expect([agent_id, (await transferOf(id)).state, next_key_hash]).toEqual(taken ? [westId, 'done', null] : [eastId, 'cleared', null]);
    }
  });

  it('is rolled back if it fails in the middle, and can be repeated', async () => {
    const { id, hash } = await waiting();
    await sql`create function break_now() returns trigger language plpgsql as 'begin raise exception ''the power failed''; end'`.execute(
      api.db,
    );
    await sql`create trigger break_transfer before update on device_transfer for each row execute function break_now()`.execute(api.db);
    await expect(completeTransfer(api.db, id, hash, api.clock.now())).rejects.toThrow('the power failed');
    await sql`drop trigger break_transfer on device_transfer`.execute(api.db);
    expect(await device(id)).toMatchObject({ agent_id: eastId, transfer_status: 'transferring', next_key_hash: hash });
    expect(await completeTransfer(api.db, id, hash, api.clock.now())).toBe(true);
    expect(await device(id)).toMatchObject({ agent_id: westId, key_hash: hash, transfer_status: null });
  });

  it('is completed only once with the same key', async () => {
    const { id, hash } = await waiting();
    const taken = await Promise.all(Array.from({ length: 8 }, () => completeTransfer(api.db, id, hash, api.clock.now())));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });
});
