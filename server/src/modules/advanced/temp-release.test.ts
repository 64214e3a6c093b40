import { tempReleaseCalls as calls } from '@farlink/contract/advanced/temp-release.ts';
import { errors } from '@farlink/contract/errors.ts';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import { document } from '@farlink/gateway/protocol/shape.ts';
import { readTempReleaseRule } from '@farlink/gateway/protocol/temp-release.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, startApi } from '../../../test/api.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { refreshTempReleases } from '../../domain/device/refresh-temp-releases.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let staff: Caller;
let n = 0;

const makeDevice = async (agent_id: number, more: { device_group_id?: number; caps?: string[] } = {}) => {
  const name = `RELEASE-${++n}`;
  const { id } = await api.db
    .insertInto('device')
    .values({ agent_id, name, sn: name, caps: ['release'], create_at: 1, ...more })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};
const makeGroup = async (agent_id: number) =>
  (
    await api.db
      .insertInto('device_group')
      .values({ agent_id, name: `组${++n}`, create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

let own: number;
let other: number;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  [own, other] = [await makeDevice(world.eastId), await makeDevice(world.eastId)];
  const scope = { scope: 'device', device_limit: 'specified', device_ids: [own] };
  await makeStaff(world.east, 'one_ship', await makeRole(world.east, '一船', grantsOf(['temp_release']), scope));
  staff = await api.login('one_ship');
});
afterAll(() => api.close());
afterEach(async () => {
  await api.db.deleteFrom('release_rule').execute();
});

const input = (more: Record<string, unknown> = {}) => ({
  name: `规则${++n}`,
  target: 'all',
  pass_time: 300,
  pass_count: 3,
  lock_time: 600,
  refresh_time: 86_400,
  limit_up: 64,
  limit_down: 128,
  status: 1,
  ...more,
});
const create = async (by: Caller, more: Record<string, unknown> = {}) => {
  const reply = await by.call(calls.create, input(more));
  expect(reply, JSON.stringify(reply)).toMatchObject({ code: 0 });
  return reply.data.id;
};
const listed = async (by: Caller, more = {}) => (await by.call(calls.list, { page: 1, limit: 50, ...more })).data.list;
const read = async (by: Caller, id: number) => (await by.call(calls.read, { id })).data;
const change = async (by: Caller, id: number, more: Record<string, unknown>) => {
  const { target_names: _, agent_name: __, create_at: ___, ...row } = await read(by, id);
  return by.call(calls.update, { ...row, ...more });
};
const sectionOf = async (id: number) => {
  await refreshTempReleases(api.deps);
  return api.db
    .selectFrom('desired_section')
    .select(['rev', 'doc', 'hash'])
    .where('device_id', '=', id)
    .where('section', '=', 'release')
    .executeTakeFirst();
};
const ruleOf = async (id: number) => readTempReleaseRule(document.read((await sectionOf(id))?.doc, ''))?.id;

describe('a rule for temporary release', () => {
  it('is created, read, changed and deleted; the operator log records each change', async () => {
    const id = await create(world.east, { name: '付款放行', target: 'device', device_ids: [other, own] });
    expect(await listed(world.east, { name: '付款' })).toMatchObject([
      { id, target: 'device', pass_time: 300, limit_up: 64, status: 1, agent_name: 'VNO east', target_names: ['RELEASE-1', 'RELEASE-2'] },
    ]);
    expect(await read(world.east, id)).toMatchObject({ device_ids: [own, other], device_group_ids: [], version: 1 });
    expect((await change(world.east, id, {})).code).toBe(errors.unchanged.code);
    expect((await change(world.east, id, { pass_count: 5, device_ids: [own] })).code).toBe(0);
    expect((await change(world.east, id, { pass_count: 6, version: 1 })).code).toBe(errors.stale.code);
    expect(await read(world.east, id)).toMatchObject({ pass_count: 5, device_ids: [own], version: 2 });
    expect((await world.east.call(calls.remove, { id })).code).toBe(0);
    expect(await listed(world.east)).toEqual([]);
    const log = await api.db
      .selectFrom('syslog')
      .select('content_en')
      .where('result', '=', 'success')
      .orderBy('id', 'desc')
      .limit(3)
      .execute();
    expect(log.map((row) => row.content_en.split(' ')[0])).toEqual(['Deleted', 'Changed', 'Created']);
  });

  it('refuses values out of range at their field', async () => {
    const refused = async (more: Record<string, unknown>) => Object.keys(fieldsOf(await world.east.call(calls.create, input(more))) ?? {});
    expect(await refused({ name: '一二三四五六七八九十一二三四五六' })).toEqual(['name']);
    expect(await refused({ pass_time: -1 })).toEqual(['pass_time']);
    expect(await refused({ lock_time: 86_401 })).toEqual(['lock_time']);
    expect(await refused({ target: 'device', device_ids: [] })).toEqual(['device_ids']);
    expect(await refused({ target: 'group' })).toEqual(['device_group_ids']);
    expect((await world.east.call(calls.create, input({ pass_time: 3_000_000_000 }))).code).toBe(errors.bad_input.code);
  });

  it('has a name that is unique within its VNO', async () => {
    await create(world.east, { name: '同名' });
    expect(fieldsOf(await world.east.call(calls.create, input({ name: '同名', target: 'device', device_ids: [own] })))).toHaveProperty(
      'name',
    );
    await create(world.west, { name: '同名' });
  });

  it('can exist only once per VNO for all devices, even with concurrent requests', async () => {
    const replies = await Promise.all([1, 2].map(() => world.east.call(calls.create, input())));
    expect(replies.map(({ code }) => code === 0).toSorted()).toEqual([false, true]);
    const refused = replies.find(({ code }) => code !== 0);
    expect(refused && fieldsOf(refused)).toHaveProperty('target');
  });

  it('cannot contain a device of another rule, even with concurrent requests', async () => {
    const replies = await Promise.all([1, 2].map(() => world.east.call(calls.create, input({ target: 'device', device_ids: [own] }))));
    expect(replies.map(({ code }) => code === 0).toSorted()).toEqual([false, true]);
    const refused = replies.find(({ code }) => code !== 0);
    expect(refused && fieldsOf(refused)).toEqual({ device_ids: '设备 RELEASE-1 已在其他规则中' });
    expect(await api.db.selectFrom('release_rule').select('id').execute()).toHaveLength(1);
  });

  it('cannot contain a device that a rule of a parent or child VNO contains', async () => {
    const device = await makeDevice(world.childId);
    const replies = await Promise.all(
      [world.admin, world.east, world.child].map((by) => by.call(calls.create, input({ target: 'device', device_ids: [device] }))),
    );
    expect(replies.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(await api.db.selectFrom('release_rule').select('id').execute()).toHaveLength(1);
  });

  it('cannot contain a group of another rule', async () => {
    const group = await makeGroup(world.eastId);
    await create(world.east, { target: 'group', device_group_ids: [group] });
    expect(fieldsOf(await world.east.call(calls.create, input({ target: 'group', device_group_ids: [group] })))).toHaveProperty(
      'device_group_ids',
    );
    const [row] = await listed(world.east, { device_group_id: group });
    expect(row?.target_names).toHaveLength(1);
  });

  it('of another branch is not found, and devices of another branch are refused', async () => {
    const id = await create(world.east, { target: 'device', device_ids: [own] });
    expect((await world.west.call(calls.read, { id })).code).toBe(errors.not_found.code);
    expect((await world.west.call(calls.update, { id, version: 1, ...input() })).code).toBe(errors.not_found.code);
    expect((await world.west.call(calls.remove, { id })).code).toBe(errors.not_found.code);
    expect(await listed(world.west)).toEqual([]);
    expect(fieldsOf(await world.west.call(calls.create, input({ target: 'device', device_ids: [other] })))).toHaveProperty('device_ids');
    expect(await listed(world.admin, { device_id: own })).toMatchObject([{ id }]);
    expect(await listed(world.admin, { device_id: other })).toEqual([]);
  });

  it('can be created and changed by a device-limited role for its devices only', async () => {
    const all = await create(world.east);
    expect((await listed(staff)).map((row) => row.id)).toEqual([all]);
    expect((await change(staff, all, { pass_count: 9 })).code).toBe(errors.release_shared.code);
    expect((await staff.call(calls.remove, { id: all })).code).toBe(errors.release_shared.code);
    expect(fieldsOf(await staff.call(calls.create, input()))).toHaveProperty('target');
    expect(fieldsOf(await staff.call(calls.create, input({ target: 'device', device_ids: [own, other] })))).toHaveProperty('device_ids');
    const id = await create(staff, { target: 'device', device_ids: [own] });
    expect((await change(staff, id, { pass_count: 9 })).code).toBe(0);
    const foreign = await create(world.east, { target: 'device', device_ids: [other] });
    expect((await staff.call(calls.read, { id: foreign })).code).toBe(errors.not_found.code);
  });
});

describe('the release rule of a gateway', () => {
  it('comes from the device, else from its group, else from the nearest VNO; disabled rules are ignored', async () => {
    const group = await makeGroup(world.childId);
    const device = await makeDevice(world.childId, { device_group_id: group });
    expect((await sectionOf(device))?.doc).toEqual({});
    const platform = await create(world.admin);
    expect(await ruleOf(device)).toBe(platform);
    const east = await create(world.east);
    expect(await ruleOf(device)).toBe(east);
    const child = await create(world.child);
    expect(await ruleOf(device)).toBe(child);
    const ofGroup = await create(world.east, { target: 'group', device_group_ids: [group] });
    expect(await ruleOf(device)).toBe(ofGroup);
    const ofDevice = await create(world.admin, { target: 'device', device_ids: [device] });
    expect(await ruleOf(device)).toBe(ofDevice);
    await change(world.admin, ofDevice, { status: 0 });
    expect(await ruleOf(device)).toBe(ofGroup);
    await world.east.call(calls.remove, { id: ofGroup });
    expect(await ruleOf(device)).toBe(child);
    await change(world.child, child, { status: 0 });
    expect(await ruleOf(device)).toBe(east);
  });

  it('has the hash that the protocol defines, and a new revision only when its content changes', async () => {
    const device = await makeDevice(world.eastId);
    const id = await create(world.east);
    const first = await sectionOf(device);
    expect(first?.doc).toEqual({ id, t: 300, n: 3, lock: 600, refresh: 86_400, up: 64, down: 128, max: 60 });
    expect(first?.hash).toBe(hashOf(first?.doc ?? {}));
    await change(world.east, id, { name: '新名' });
    const second = await create(world.east, { target: 'device', device_ids: [own] });
    await world.east.call(calls.remove, { id: second });
    expect((await sectionOf(device))?.rev).toBe(first?.rev);
    await change(world.east, id, { pass_time: 60 });
    expect(await sectionOf(device)).toMatchObject({ rev: (first?.rev ?? 0) + 1, doc: { t: 60 } });
  });

  it('is updated when the device changes its group or VNO, or first reports the capability', async () => {
    const group = await makeGroup(world.eastId);
    const device = await makeDevice(world.eastId, { caps: [] });
    const ofGroup = await create(world.east, { target: 'group', device_group_ids: [group] });
    const west = await create(world.west);
    expect(await sectionOf(device)).toBeUndefined();
    const set = (to: { caps?: string[]; device_group_id?: number | null; agent_id?: number }) =>
      api.db.updateTable('device').set(to).where('id', '=', device).execute();
    await set({ caps: ['accounts', 'release'] });
    expect((await sectionOf(device))?.doc).toEqual({});
    await set({ device_group_id: group });
    expect(await ruleOf(device)).toBe(ofGroup);
    await set({ device_group_id: null });
    expect((await sectionOf(device))?.doc).toEqual({});
    const ofDevice = await create(world.east, { target: 'device', device_ids: [device] });
    expect(await ruleOf(device)).toBe(ofDevice);
    await set({ agent_id: world.westId });
    expect(await ruleOf(device)).toBe(west);
    expect((await read(world.east, ofDevice)).device_ids).toEqual([]);
  });

  it('becomes empty when the group of the rule is deleted', async () => {
    const group = await makeGroup(world.eastId);
    const device = await makeDevice(world.eastId, { device_group_id: group });
    const ofGroup = await create(world.east, { target: 'group', device_group_ids: [group] });
    expect(await ruleOf(device)).toBe(ofGroup);
    await api.db.deleteFrom('device_group').where('id', '=', group).execute();
    expect((await sectionOf(device))?.doc).toEqual({});
  });

  it('is updated when the VNO moves in the tree', async () => {
    const device = await makeDevice(world.childId);
    const east = await create(world.east);
    const west = await create(world.west);
    expect(await ruleOf(device)).toBe(east);
    const path = (id: number) => api.db.selectFrom('agent').select('path').where('id', '=', id).executeTakeFirstOrThrow();
    const was = await path(world.childId);
    const move = (to: string) => api.db.updateTable('agent').set({ path: to }).where('id', '=', world.childId).execute();
    await move(`${(await path(world.westId)).path}${world.childId}/`);
    expect(await ruleOf(device)).toBe(west);
    await move(was.path);
    expect(await ruleOf(device)).toBe(east);
  });
});

describe('release records', () => {
  const addRecord = (agent_id: number, device_id: number, mac: string, rule_id: number | null = null) =>
    api.db
      .insertInto('release_event')
      .values({ agent_id, device_id, sn: 'S', rule_id, mac, result: 'end', reason: 'time', up_bytes: 10, down_bytes: 20, create_at: 100 })
      .execute();

  it('belong to the VNO that owned the device at that time; device-limited staff see only their devices', async () => {
    const moved = await makeDevice(world.westId);
    await addRecord(world.eastId, own, '02:00:00:00:00:01', 7);
    await addRecord(world.eastId, other, '02:00:00:00:00:02');
    await addRecord(world.eastId, moved, '02:00:00:00:00:03');
    await addRecord(world.westId, moved, '02:00:00:00:00:04');
    const macs = async (by: Caller, more = {}) =>
      (await by.call(calls.records, { page: 1, limit: 20, ...more })).data.list.map((row) => row.mac?.slice(-1)).toSorted();
    expect(await macs(world.admin)).toEqual(['1', '2', '3', '4']);
    expect(await macs(world.east)).toEqual(['1', '2', '3']);
    expect(await macs(world.west)).toEqual(['4']);
    expect(await macs(staff)).toEqual(['1']);
    expect(await macs(world.east, { rule_id: 7 })).toEqual(['1']);
    const { data } = await world.east.call(calls.records, { mac: '02:00:00:00:00:03' });
    // The device belongs to another VNO now, so its current name is not shown.
    expect(data.list).toMatchObject([{ device_name: null, sn: 'S', up_bytes: 10, down_bytes: 20, result: 'end' }]);
  });
});
