import { deviceCalls } from '@farlink/contract/device/device.ts';
import { deviceDetailCalls } from '@farlink/contract/device/device-detail.ts';
import { devicePortalCalls } from '@farlink/contract/device/portal.ts';
import { errors } from '@farlink/contract/errors.ts';
import { billCalls } from '@farlink/contract/finance/bill.ts';
import { linkLogCalls } from '@farlink/contract/log/link-log.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { portalCalls } from '@farlink/contract/market/portal.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeFleet } from '../../../test/fleet.ts';
import { makeBranches, makeRole } from '../../../test/world.ts';
import { postSale } from '../../domain/ledger/post-sale.ts';

let api: Api;
let fleet: ReturnType<typeof makeFleet>;
let admin: Caller;
let east: Caller;
let west: Caller;
let eastId: number;
let westId: number;
let childId: number;
const year = 365 * 86_400;

beforeAll(async () => {
  api = await startApi();
  const world = await makeBranches(api);
  ({ admin, east, west, eastId, westId, childId } = world);
  fleet = makeFleet(api, 'DEED');
});
afterAll(() => api.close());

describe('the authorization of devices', () => {
  const until = () => api.clock.now() + year;
  const authorize = (by: Caller, ids: readonly number[], input: object) =>
    by.call(deviceCalls.authorize, { ids, auth_expire_at: until(), ...input });

  it('is changed for each suitable device, with the reason for the others', async () => {
    const one = await fleet.add(eastId);
    const suspended = await fleet.add(eastId, { auth_status: 'suspended' });
    const foreign = await fleet.add(westId);
    const reply = await authorize(east, [one.id, suspended.id, foreign.id], { auth_status: 'test' });
    expect(reply.data.list.map((row) => row.message)).toEqual(['', '授权暂停的设备不能修改授权', '数据不存在']);
    expect(await fleet.read(one.id)).toMatchObject({ auth_status: 'test', auth_expire_at: until(), revision: one.revision + 1 });
    expect((await authorize(east, [one.id], { auth_status: 'test' })).data.list[0]?.message).toBe('您未做任何修改');
  });

  it('is expired in list, filter, detail and dashboard from its end, before the sweep changes the row', async () => {
    const { id, sn } = await fleet.add(eastId, { auth_status: 'formal', auth_expire_at: api.clock.now() + 5 });
    const shown = async () => {
      const found = async (auth_status?: string) => (await east.call(deviceCalls.list, { sn, auth_status })).data.list;
      return {
        list: (await found()).map(({ auth_status }) => auth_status),
        filter: [(await found('formal')).length, (await found('expired')).length],
        detail: (await east.call(deviceDetailCalls.read, { id })).data.auth_status,
      };
    };
    expect(await shown()).toEqual({ list: ['formal'], filter: [1, 0], detail: 'formal' });
    api.clock.advance(5);
    expect(await shown()).toEqual({ list: ['expired'], filter: [0, 1], detail: 'expired' });
  });

  it('cannot be set to expired, and cannot end in the past unless it is suspended', async () => {
    const device = await fleet.add(eastId);
    expect(await authorize(east, [device.id], { auth_status: 'expired' })).toMatchObject({
      data: { fields: { auth_status: '请选择授权类型' } },
    });
    const past = await authorize(east, [device.id], { auth_status: 'formal', auth_expire_at: api.clock.now() - 1 });
    expect(past).toMatchObject({ data: { fields: { auth_expire_at: '授权到期日必须晚于当前时间' } } });
    expect((await authorize(east, [device.id], { auth_status: 'suspended', auth_expire_at: api.clock.now() - 1 })).data.success).toBe(1);
  });

  it('can be restored from suspension only by the platform, with the reason in the operator log', async () => {
    const device = await fleet.add(eastId, { auth_status: 'suspended' });
    const usable = await fleet.add(eastId);
    const input = { ids: [device.id], auth_status: 'formal', auth_expire_at: until(), reason: '欠费已结清' };
    expect((await east.call(deviceCalls.liftSuspension, input)).data.list[0]?.message).toBe(errors.denied.text[0]);
    expect((await admin.call(deviceCalls.liftSuspension, { ...input, reason: '' })).data).toMatchObject({
      fields: { reason: '请输入解除原因' },
    });
    const reply = await admin.call(deviceCalls.liftSuspension, { ...input, ids: [device.id, usable.id] });
    expect(reply.data.list.map((row) => row.message)).toEqual(['', errors.device_not_suspended.text[0]]);
    expect(await fleet.read(device.id)).toMatchObject({ auth_status: 'formal', auth_expire_at: until() });
    const line = (await admin.call(logCalls.own, { content: '解除设备' })).data.list.find((row) => row.result === 'success');
    expect(line?.content).toContain('欠费已结清');
  });

  it('uses one unit of its authorization code per device, until the code is used up', async () => {
    const { data } = await admin.call(vnoCalls.authorize, { id: eastId, total: 2, expire_at: api.clock.now() + 2 * year });
    const devices = await Promise.all([1, 2, 3].map(() => fleet.add(eastId)));
    const ids = devices.map((d) => d.id);
    const code = { auth_status: 'formal', auth_code: data.auth_code };
    const reply = await authorize(east, ids, code);
    expect(reply.data.list.map((row) => row.message)).toEqual(['', '', '授权码数量已用完']);
    const license = await api.db.selectFrom('license').selectAll().where('code', '=', data.auth_code).executeTakeFirstOrThrow();
    expect(license).toMatchObject({ used: 2, activate_at: api.clock.now() });
    const long = await admin.call(vnoCalls.authorize, { id: eastId, total: 1, expire_at: api.clock.now() + 60 });
    const outlasting = await authorize(east, [ids[2] ?? 0], { auth_status: 'formal', auth_code: long.data.auth_code });
    expect(outlasting.data.list[0]?.message).toBe('授权到期日不能晚于授权码的到期时间');
    expect((await authorize(west, [(await fleet.add(westId)).id], code)).data.list[0]?.message).toBe('授权码不存在');
  });
});

describe('the deletion of devices', () => {
  const remove = (by: Caller, ...ids: number[]) => by.call(deviceCalls.remove, { ids });

  it('releases accounts, packages and roles, ends sessions, and keeps bills and logs with the VNO', async () => {
    const billing = await makeBillingFixture(api, eastId, 'gone');
    const pkg = await billing.makePackage();
    const account = await billing.makeAccount({ online_count: 1 });
    const { device_id } = billing;
    const sale = { cause: 'gone', channel: 'counter', expense_type: 'open', pay_method: 'cash', income: '98.00' } as const;
    const seller = { agent_id: eastId, customer_id: null, operator: 'east' };
    const { bill_no } = await api.db
      .transaction()
      .execute((db) => postSale(db, seller, { ...sale, buyer: account, package: pkg }, api.clock.now()));
    const { sn } = await fleet.read(device_id);
    await api.db
      .insertInto('wan_link_log')
      .values({ agent_id: eastId, device_id, sn, link: '6d', network: '6d', link_state: 'on', create_at: api.clock.now() })
      .execute();
    await api.db
      .insertInto('online_session')
      .values({ subscriber_id: account.id, agent_id: eastId, device_id, session_id: 's', login_at: 1 })
      .execute();
    const role = await makeRole(east, 'two ships', grantsOf(['device_list']), {
      scope: 'device',
      device_limit: 'specified',
      device_ids: [device_id, (await fleet.add(eastId)).id],
    });
    await billing.grantHolding(account.id, pkg);
    const job = await billing.makeAccount();
    const notes = async (by: Caller) => (await by.call(deviceCalls.removal, { ids: [device_id] })).data.notes.map(({ text }) => text);
    expect(await notes(east)).toEqual([
      '绑定的上网账号：2 个，其中 1 个有未到期的付费套餐',
      expect.stringContaining('无法上网'),
      '绑定的套餐：1 个，将解除与设备的绑定',
    ]);
    expect(await notes(west)).toEqual([]);
    expect((await remove(east, device_id)).data).toMatchObject({ success: 1 });
    const unbound = async (by: Caller) => (await by.call(userCalls.list, { binding: 'none' })).data.list.map(({ id }) => id);
    expect((await unbound(east)).toSorted()).toEqual([account.id, job.id]);
    expect(await unbound(west)).toEqual([]);
    expect(await api.db.selectFrom('subscriber').selectAll().where('id', '=', account.id).executeTakeFirst()).toMatchObject({
      device_id: null,
      online_count: 0,
    });
    expect(await api.db.selectFrom('package').selectAll().where('id', '=', pkg.id).executeTakeFirst()).toMatchObject({ device_ids: [] });
    expect((await api.db.selectFrom('role').selectAll().where('id', '=', role).executeTakeFirst())?.device_ids).toHaveLength(1);
    const session = await api.db.selectFrom('online_session').selectAll().where('subscriber_id', '=', account.id).executeTakeFirstOrThrow();
    expect(session).toMatchObject({ device_id: null, logout_at: api.clock.now(), terminate_cause: 'lost' });
    expect((await east.call(billCalls.counter, { bill_no })).data.list).toMatchObject([{ bill_no, income: '98.00', device_name: null }]);
    expect((await east.call(linkLogCalls.list, { sn })).data.list).toMatchObject([{ sn, device_name: null }]);
    expect((await west.call(billCalls.counter, { bill_no })).data.total).toBe(0);
    expect((await west.call(linkLogCalls.list, { sn })).data.total).toBe(0);
  });

  it('is refused for devices that are online, in transfer, bound to unused cards or suspended; the platform can delete suspended devices', async () => {
    const here = await fleet.online(eastId);
    const moving = await fleet.add(eastId, { transfer_status: 'transferring' });
    const suspended = await fleet.add(eastId, { auth_status: 'suspended' });
    const carded = await fleet.add(eastId);
    const rule = { agent_id: eastId, name: 'r', batch_no: 'B1', card_type: 'amount', denomination: '9', count: 1, producer: 'p' } as const;
    const stamp = { expire_at: 4_000_000_000, create_at: 1, update_at: 1 };
    const batch = await api.db
      .insertInto('card_rule')
      .values({ ...rule, ...stamp, state: 'ready', device_id: carded.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    await api.db
      .insertInto('recharge_card')
      .values({
        rule_id: batch.id,
        agent_id: eastId,
        number: 'X1',
        password: '-',
        expire_at: 4_000_000_000,
        create_at: 1,
        device_id: carded.id,
      })
      .execute();
    const reply = await remove(east, here.id, moving.id, suspended.id, carded.id);
    expect(reply.data.list.map((row) => row.message)).toEqual([
      '设备当前在线，须离线后才能操作',
      '设备正在转移，请等待完成或清除转移状态',
      '授权暂停的设备只能由总平台删除',
      '仍有1张未使用的充值卡绑定该设备，请先修改或作废',
    ]);
    expect((await remove(admin, suspended.id)).data.success).toBe(1);
    expect((await remove(west, here.id)).data.list[0]?.message).toBe('数据不存在');
  });
});

describe('the portal of devices', () => {
  const portal = (agent_id: number, billing_type: 'free' | 'charged') =>
    api.db
      .insertInto('portal')
      .values({ agent_id, name: `${billing_type} ${agent_id}`, billing_type, create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();

  it('is sent only to online gateways with a matching billing mode, and is not recorded before they confirm', async () => {
    const charged = await portal(eastId, 'charged');
    const free = await portal(eastId, 'free');
    const here = await fleet.online(eastId);
    const away = await fleet.add(eastId);
    const aaa = await fleet.online(eastId, { billing_mode: 2 });
    const ids = [here.id, away.id, aaa.id];
    const reply = await east.call(deviceCalls.setPortal, { ids, portal_id: charged.id });
    expect(reply.data.list.map((row) => row.message)).toEqual(['', '设备当前不在线', '设备的计费模式与门户的计费类型不匹配']);
    const desired = await api.db
      .selectFrom('desired_section')
      .selectAll()
      .where('device_id', '=', here.id)
      .where('section', '=', 'portal')
      .execute();
    expect(desired).toMatchObject([{ doc: { id: charged.id, billing: 'charged' }, settled: false }]);
    expect(await fleet.read(here.id)).toMatchObject({ portal_id: null });
    expect((await east.call(deviceCalls.setPortal, { ids: [aaa.id], portal_id: free.id })).data.success).toBe(1);
  });

  it('has an estimate of the size, the waiting devices and the devices that will fail', async () => {
    const { id: portal_id } = await portal(childId, 'charged');
    const devices = [
      await fleet.online(childId),
      await fleet.online(childId, { network: 'l_band' }),
      await fleet.online(childId, { billing_mode: 2 }),
    ];
    const { data } = await east.call(devicePortalCalls.estimate, { portal_id, ids: devices.map((d) => d.id), lang: 'en' });
    expect(data.notes.map((note) => note.text)).toEqual([
      expect.stringMatching(/^About \d+(\.\d+)? KB each, devices: 2$/),
      'On the L-band link, sent after switching to another link: 1',
      'Will fail because the billing mode does not match this portal: 1',
    ]);
  });

  it('must be visible to the operator, and belong to the VNO of the device or to a VNO above it', async () => {
    const foreign = await portal(westId, 'charged');
    const below = await portal(childId, 'free');
    const here = await fleet.online(eastId, { billing_mode: 3 });
    const bad = await east.call(deviceCalls.setPortal, { ids: [here.id], portal_id: foreign.id });
    expect(bad).toMatchObject({ data: { fields: { portal_id: '请选择有效的门户' } } });
    expect((await east.call(deviceCalls.setPortal, { ids: [here.id], portal_id: below.id })).data.fail).toBe(1);
    expect((await east.call(portalCalls.list, {})).data.list.map((row) => row.id)).not.toContain(foreign.id);
    expect(Object.keys((await west.call(devicePortalCalls.option)).data)).toEqual([String(foreign.id)]);
  });
});

describe('the reset of a device binding', () => {
  it('is possible for a binding that was reset or repeated, but not for a normal one', async () => {
    const odd = [await fleet.add(eastId, { status: 3, hardware_id: 'hw' }), await fleet.add(eastId, { status: 4, hardware_id: 'hw' })];
    const bound = await fleet.add(eastId);
    const reply = await east.call(deviceCalls.resetBinding, { ids: [...odd, bound].map((device) => device.id) });
    expect(reply.data.list.map((row) => row.message)).toEqual(['', '', '设备绑定正常，无需重置']);
    for (const { id } of odd) expect(await fleet.read(id)).toMatchObject({ status: 0, key_hash: null, hardware_id: null });
    expect(await fleet.read(bound.id)).toMatchObject({ status: 0, key_hash: bound.key_hash });
  });
});

describe('the login password of gateways', () => {
  it('is sent to every gateway of the VNO as a verifier', async () => {
    const device = await fleet.add(childId);
    const input = { password: 'abc123', repassword: 'abc123' };
    const child = await api.login('child');
    expect((await child.call(vnoCalls.devicePwd, input)).code).toBe(0);
    const section = await api.db
      .selectFrom('desired_section')
      .selectAll()
      .where('device_id', '=', device.id)
      .where('section', '=', 'login')
      .executeTakeFirstOrThrow();
    expect(section).toMatchObject({ doc: { alg: 'scrypt' }, settled: false });
    expect(JSON.stringify(section)).not.toContain('abc123');
    expect((await east.call(vnoCalls.devicePwd, { ...input, vno_id: westId })).code).toBe(errors.not_found.code);
  });
});
