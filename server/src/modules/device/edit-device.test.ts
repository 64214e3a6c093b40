import { deviceCalls } from '@farlink/contract/device/device.ts';
import { deviceDetailCalls } from '@farlink/contract/device/device-detail.ts';
import { errors } from '@farlink/contract/errors.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeFleet } from '../../../test/fleet.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { storeMessages } from '../../field/store/store.ts';
import { hashToken } from '../../kit/session/secret.ts';

let api: Api;
let fleet: ReturnType<typeof makeFleet>;
let admin: Caller;
let east: Caller;
let west: Caller;
let eastId: number;
let westId: number;
let childId: number;
let platformId: number;

beforeAll(async () => {
  api = await startApi();
  const world = await makeBranches(api);
  ({ admin, east, west, eastId, westId, childId } = world);
  platformId = admin.session?.agent_id ?? 0;
  fleet = makeFleet(api, 'EDIT');
});
afterAll(() => api.close());

const change = (by: Caller, device: { id: number; revision: number }, input: object) =>
  by.call(deviceCalls.change, { id: device.id, version: device.revision, ...input });
const lastLog = () => api.db.selectFrom('syslog').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();

describe('editing a device', () => {
  it('changes only the given fields, and writes an entry in the operator log', async () => {
    const device = await fleet.add(eastId, { remark: 'old' });
    expect((await change(east, device, { name: '新船', device_type: 'ship' })).code).toBe(0);
    expect(await fleet.read(device.id)).toMatchObject({ name: '新船', device_type: 'ship', remark: 'old', revision: device.revision + 1 });
    expect(await lastLog()).toMatchObject({ subject: `device:${device.id}`, before: { name: device.name, device_type: 'fixed' } });
  });

  it('refuses a form that is stale and one that changes nothing', async () => {
    const device = await fleet.add(eastId);
    expect((await change(east, device, { name: device.name })).code).toBe(errors.unchanged.code);
    expect((await change(east, { ...device, revision: 7 }, { name: 'x1' })).code).toBe(errors.stale.code);
  });

  it('accepts one of two concurrent edits', async () => {
    const device = await fleet.add(eastId);
    const replies = await Promise.all(['a', 'b'].map((name) => change(east, device, { name: `${name} ship` })));
    expect(replies.map((a) => a.code).sort()).toEqual([0, errors.stale.code]);
  });

  it('does not find a device of another VNO or outside the device scope of a role', async () => {
    const device = await fleet.add(eastId);
    const other = await fleet.add(eastId);
    expect((await change(west, device, { name: 'mine' })).code).toBe(errors.not_found.code);
    const role = await makeRole(east, 'one ship', grantsOf(['device_list']), {
      scope: 'device',
      device_limit: 'specified',
      device_ids: [other.id],
    });
    await makeStaff(east, 'one_ship', role);
    const narrow = await api.login('one_ship');
    expect((await change(narrow, device, { name: 'mine' })).code).toBe(errors.not_found.code);
    expect((await narrow.call(deviceCalls.list)).data.list.map((row) => row.id)).toEqual([other.id]);
  });

  it('refuses invalid values at their fields', async () => {
    const device = await fleet.add(eastId);
    const reply = await change(east, device, { name: '', proxy_addr: '1.2.3', proxy_port: 70_000, device_key: '中文密钥中文密钥' });
    expect(Object.keys(reply.data ?? {})).toEqual(['fields']);
    expect(reply.data).toMatchObject({
      fields: { name: '请输入设备名称', proxy_addr: expect.any(String), proxy_port: expect.any(String) },
    });
    expect(await change(east, device, { proxy_port: 8080 })).toMatchObject({ data: { fields: { proxy_addr: expect.any(String) } } });
    expect(await fleet.read(device.id)).toMatchObject({ revision: device.revision });
  });

  it('stores proxy and fence as desired sections for the gateway', async () => {
    const device = await fleet.add(eastId);
    await change(east, device, { proxy_addr: '10.0.0.1', proxy_port: 8080, fence: '东海' });
    const desiredSections = () =>
      api.db.selectFrom('desired_section').selectAll().where('device_id', '=', device.id).orderBy('section').execute();
    expect(await desiredSections()).toMatchObject([
      { section: 'fence', doc: { name: '东海' }, rev: 1, settled: false },
      { section: 'proxy', doc: { addr: '10.0.0.1', port: 8080 } },
    ]);
    await change(east, await fleet.read(device.id), { proxy_addr: null, proxy_port: null });
    expect(await desiredSections()).toMatchObject([{ rev: 1 }, { section: 'proxy', doc: {}, rev: 2 }]);
  });

  it('sends a link lock only to an online, authorized gateway', async () => {
    const away = await fleet.add(eastId);
    expect(await change(east, away, { link_lock: 'global' })).toMatchObject({
      code: errors.device_offline.code,
      data: { fields: { link_lock: expect.any(String) } },
    });
    const expired = await fleet.online(eastId, { auth_status: 'test', auth_expire_at: api.clock.now() - 1 });
    expect((await change(east, expired, { change_mode: 'backup' })).code).toBe(errors.device_unauthorized.code);
    const here = await fleet.online(eastId);
    expect((await change(east, here, { link_lock: 'global' })).code).toBe(0);
    expect(await fleet.read(here.id)).toMatchObject({ link_lock: 'unlocked' });
    await change(east, await fleet.read(here.id), { link_lock: 'second_satellite', change_mode: 'roaming' });
    expect(await fleet.commands(here.id)).toMatchObject([
      { op: 'link.lock', state: 6 },
      { op: 'link.lock', state: 0, args: { lock: 'second_satellite', mode: 'roaming' }, operator: expect.any(String) },
    ]);
  });

  it('stores a key as hash and last four characters, and returns neither the key nor its hash', async () => {
    const key = 'a new key that is never shown'.replaceAll(' ', '-');
    const hint = key.slice(-4);
    const away = await fleet.add(eastId);
    expect((await change(east, away, { device_key: key })).code).toBe(0);
    expect(await fleet.read(away.id)).toMatchObject({ key_hash: hashToken(key), key_hint: hint, key_used_at: away.key_used_at });
    // The device stays in use, so another gateway with the merchant code does not get a key.
    expect(away.key_used_at).not.toBeNull();
    const here = await fleet.online(eastId);
    expect((await change(east, here, { device_key: key })).code).toBe(0);
    expect(await fleet.read(here.id)).toMatchObject({ key_hash: here.key_hash });
    expect(await fleet.commands(here.id)).toMatchObject([{ op: 'key.set', args: { key } }]);
    const listed = JSON.stringify([
      await east.call(deviceCalls.list, { sn: away.sn }),
      await east.call(deviceDetailCalls.read, { id: away.id }),
      await api.db.selectFrom('syslog').select(['before', 'after']).where('subject', '=', `device:${away.id}`).execute(),
    ]);
    expect(listed).toContain(`••••••••${hint}`);
    expect(listed).not.toContain(key);
    expect(listed).not.toContain(hashToken(key));
  });

  it('assigns an unbound device to the VNO of the entered merchant code, and refuses this for a bound device', async () => {
    const vno = await api.db.selectFrom('agent').select('code').where('id', '=', eastId).executeTakeFirstOrThrow();
    const found = await fleet.add(platformId, { status: 2, merchant_code: 'WRONG', key_used_at: null });
    expect(await change(admin, found, { merchant_code: 'NOBODY' })).toMatchObject({
      data: { fields: { merchant_code: '没有使用该商户码的VNO' } },
    });
    expect((await change(admin, found, { merchant_code: vno.code })).code).toBe(0);
    expect(await fleet.read(found.id)).toMatchObject({ agent_id: eastId, status: 0, merchant_code: vno.code });
    const bound = await fleet.add(westId);
    expect(await change(admin, bound, { merchant_code: vno.code })).toMatchObject({
      data: { fields: { merchant_code: '设备已绑定其他VNO，请使用转移' } },
    });
  });

  it('allows a device only in a group of its VNO', async () => {
    const group = (agent_id: number) =>
      api.db
        .insertInto('device_group')
        .values({ agent_id, name: `g${agent_id}`, create_at: 1 })
        .returning('id')
        .executeTakeFirstOrThrow();
    const own = await group(eastId);
    const below = await group(childId);
    const device = await fleet.add(eastId);
    expect((await change(east, device, { device_group_id: below.id })).code).toBe(errors.group_other_vno.code);
    expect((await change(east, device, { device_group_id: own.id })).code).toBe(0);
    const other = await fleet.add(childId);
    const batch = await east.call(deviceCalls.setGroup, { ids: [device.id, other.id], device_group_id: own.id });
    expect(batch.data).toMatchObject({ success: 0, fail: 2 });
    expect(batch.data.list.map((row) => row.message)).toEqual(['您未做任何修改', '设备组与设备须属于同一VNO']);
  });
});

describe('the replacement of a device', () => {
  const replace = (by: Caller, device: { id: number; revision: number }, input: object) =>
    change(by, device, { operate: 'replace', ...input });

  it('keeps accounts and settings under the new SN, revokes the key, and lets the new gateway bind', async () => {
    const device = await fleet.add(eastId, { version: '01.00.00', hardware_id: 'hw', link_lock: 'global' });
    await api.db
      .insertInto('subscriber')
      .values(subscriberRow({ agent_id: eastId, account: 'kept1', device_id: device.id }))
      .execute();
    await change(east, device, { fence: '港区' });
    await api.db.updateTable('desired_section').set({ settled: true }).where('device_id', '=', device.id).execute();
    await api.db
      .insertInto('device_command')
      .values({ id: 'aaaaaaaaaaaa', device_id: device.id, op: 'diag.ping', args: '{}', deadline: api.clock.now() + 900, create_at: 1 })
      .execute();
    const waiting = await fleet.add(platformId, { sn: 'SPARE-1', status: 1, key_used_at: null });
    expect((await replace(east, await fleet.read(device.id), { new_sn: 'SPARE-1' })).code).toBe(0);
    expect(await fleet.read(device.id)).toMatchObject({
      sn: 'SPARE-1',
      key_hash: null,
      hardware_id: null,
      version: null,
      link_lock: 'unlocked',
      status: 0,
      account_count: 1,
      fence: '港区',
    });
    expect(await api.db.selectFrom('device').select('id').where('id', '=', waiting.id).execute()).toEqual([]);
    expect(await api.db.selectFrom('desired_section').select('settled').where('device_id', '=', device.id).execute()).toEqual([
      { settled: false },
    ]);
    expect((await fleet.commands(device.id))[0]?.deadline).toBeLessThanOrEqual(api.clock.now());
  });

  it('ends the sessions of the old gateway, and treats an equal session ID of the new gateway as a new session', async () => {
    const device = await fleet.add(eastId);
    const account = (name: string) =>
      api.db
        .insertInto('subscriber')
        .values(subscriberRow({ agent_id: eastId, account: name, device_id: device.id, online_count: 1 }))
        .returning('id')
        .executeTakeFirstOrThrow();
    const old = await account('oldbox1');
    const next = await account('newbox1');
    await api.db
      .insertInto('online_session')
      .values({ subscriber_id: old.id, agent_id: eastId, device_id: device.id, session_id: '1', login_at: 1 })
      .execute();
    expect((await replace(east, device, { new_sn: 'NEW-9' })).code).toBe(0);
    const sessions = () => api.db.selectFrom('online_session').selectAll().where('device_id', '=', device.id).orderBy('id').execute();
    expect(await sessions()).toMatchObject([{ logout_at: api.clock.now(), terminate_cause: 'lost' }]);
    const { online_count } = await api.db
      .selectFrom('subscriber')
      .select('online_count')
      .where('id', '=', old.id)
      .executeTakeFirstOrThrow();
    expect(online_count).toBe(0);
    const output = {
      kind: 'event',
      body: { id: 'boot9-1', k: 'user', t: api.clock.now(), doc: { sid: '1', acc: 'newbox1', in: true } },
    } as const;
    await storeMessages(api.deps.pool, api.clock.now(), 'node', [{ sn: 'NEW-9', conn: 'c', content: output }]);
    expect(await sessions()).toMatchObject([{ subscriber_id: old.id }, { subscriber_id: next.id, logout_at: null }]);
  });

  it('refuses an online device, and a new SN that is unchanged, bound, missing or invalid', async () => {
    const here = await fleet.online(eastId);
    expect((await replace(east, here, { new_sn: 'NEW-1' })).code).toBe(errors.device_online.code);
    const device = await fleet.add(eastId);
    const foreign = await fleet.add(westId);
    expect(await replace(east, device, { new_sn: device.sn })).toMatchObject({ data: { fields: { new_sn: '新SN不能与原SN相同' } } });
    expect(await replace(east, device, { new_sn: foreign.sn })).toMatchObject({
      code: errors.replace_failed.code,
      msg: '替换失败：新设备SN已被绑定',
    });
    expect(await replace(east, device, {})).toMatchObject({ data: { fields: { new_sn: '请输入新设备SN' } } });
    expect(await replace(east, device, { new_sn: '-bad-' })).toMatchObject({ data: { fields: { new_sn: expect.any(String) } } });
    expect((await replace(west, device, { new_sn: foreign.sn })).code).toBe(errors.not_found.code);
  });

  it('is refused without keep_users while accounts or packages are bound to the device', async () => {
    const billing = await makeBillingFixture(api, eastId, 'loss');
    await billing.makePackage();
    const device = await fleet.read(billing.device_id);
    const refused = await replace(east, device, { new_sn: 'NEW-2', keep_users: false });
    expect(refused).toMatchObject({
      code: errors.replace_failed.code,
      data: { fields: { keep_users: expect.stringContaining('1个套餐') } },
    });
    const owned = await fleet.add(eastId);
    await api.db
      .insertInto('subscriber')
      .values(subscriberRow({ agent_id: eastId, account: 'bound1', device_id: owned.id }))
      .execute();
    expect(await replace(east, await fleet.read(owned.id), { new_sn: 'NEW-2', keep_users: false })).toMatchObject({
      code: errors.replace_failed.code,
      data: { fields: { keep_users: expect.stringContaining('1个账号、0个套餐') } },
    });
    const bare = await fleet.add(eastId);
    expect((await replace(east, bare, { new_sn: 'NEW-3', keep_users: false, remark: '旧机返修' })).code).toBe(0);
    expect(await fleet.read(bare.id)).toMatchObject({ sn: 'NEW-3', remark: '旧机返修' });
  });
});
