import { extraCalls } from '@farlink/contract/package/extra-package.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { applicationCalls, policyCalls } from '@farlink/contract/package/package-template.ts';
import { staffRoles } from '@farlink/contract/permission/role.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { everySecond } from '../../../test/every-second.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { accessOf } from '../../domain/access/access.ts';
import { sweepJobs } from '../../domain/subscriber/sweep-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let deviceId: number;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  const device = await api.db
    .insertInto('device')
    .values({ agent_id: world.eastId, name: '东海一号', sn: 'E-1', create_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  deviceId = device.id;
});
afterAll(() => api.close());

const flow = (more: object = {}) => ({
  name: '月租 10GB',
  package_type: 'flow',
  flow_capacity: 10,
  flow_unit: 'GB',
  up_speed: 512,
  down_speed: 1024,
  price: '30',
  priority: 10,
  online_type: 0,
  bind_type: 'device',
  device_id: [deviceId],
  ...more,
});
const create = (by: Caller, more: object = {}) => by.call(packageCalls.create, flow(more));

describe('an online package', () => {
  it('is created, listed in the language of the reader, read, updated with a version check and deleted', async () => {
    const { id } = (
      await create(world.east, {
        package_type: 'time_flow',
        time_capacity: 30,
        time_unit: 'day',
        cycle_enable: true,
        cycle_length: 1,
        cycle_unit: 'month',
        cycle_quota: 5,
        cycle_quota_unit: 'GB',
      })
    ).data;
    const zh = (await world.east.call(packageCalls.list)).data.list[0];
    expect(zh).toMatchObject({ capacity: '30 天 + 10 GB', cycle: '1 月 / 5 GB', price: '30.00', used_count: 0, device_name: ['东海一号'] });
    expect((await world.east.call(packageCalls.list, { lang: 'en' })).data.list[0]).toMatchObject({
      capacity: '30 days + 10 GB',
      cycle: '1 month / 5 GB',
    });
    const form = (await world.east.call(packageCalls.read, { id })).data;
    expect(form).toMatchObject({ cycle_enable: true, bind_type: 'device', device_id: [deviceId], time_unit: 'day', version: 1 });
    expect((await world.east.call(packageCalls.update, { ...form, id })).code).toBe(10011);
    expect((await world.east.call(packageCalls.update, { ...form, id, price: '35.5' })).code).toBe(0);
    expect((await world.east.call(packageCalls.update, { ...form, id, price: '36' })).code).toBe(10010);
    expect((await world.east.call(packageCalls.remove, { id })).code).toBe(0);
  });

  it('is validated by the rules between its fields', async () => {
    const soon = api.clock.now() + 5 * 86_400;
    const faults = async (more: object) => (await create(world.east, more)).data as unknown;
    expect(await faults({ flow_capacity: undefined })).toMatchObject({ fields: { flow_capacity: '请输入流量' } });
    expect(await faults({ cycle_enable: true, cycle_unit: 'day', cycle_quota: 1, cycle_quota_unit: 'GB' })).toMatchObject({
      fields: { cycle_length: '请输入周期时长' },
    });
    expect(await faults({ cycle_enable: true, cycle_length: 1, cycle_unit: 'day', cycle_quota: 1, cycle_quota_unit: 'TB' })).toMatchObject({
      fields: { cycle_quota: '周期配额不能超过周期重置总量' },
    });
    expect(
      await faults({ cycle_enable: true, cycle_length: 1, cycle_unit: 'month', cycle_quota: 1, cycle_quota_unit: 'GB', expire_at: soon }),
    ).toMatchObject({ fields: { cycle_length: '重置时间不能超过套餐有效期' } });
    expect(await faults({ package_type: 'time', time_capacity: 30, time_unit: 'day', expire_at: soon })).toMatchObject({
      fields: { time_capacity: '套餐时长不能超过有效期' },
    });
    expect(await faults({ up_guarantee: 600 })).toMatchObject({ fields: { up_guarantee: '保障速率不能超过限速（限速为0时不限）' } });
    expect(await faults({ device_id: [] })).toMatchObject({ fields: { device_id: '请选择适用设备' } });
    expect(await faults({ price: '0' })).toMatchObject({ fields: { price: '大于0，最多两位小数' } });
    expect((await create(world.east, { name: '不限速', up_speed: 0, down_speed: 0, up_guarantee: 600 })).code).toBe(0);
  });

  it('cannot be created or changed with an expiry in the past, but an expired one can be changed otherwise', async () => {
    const { clock } = api;
    const expire_at = clock.now() + 86_400;
    const fields = { expire_at: '有效期必须晚于当前时间' };
    expect((await create(world.east, { name: '已过期', expire_at: clock.now() })).data).toEqual({ fields });
    const extra = { name: '加油', package_type: 'flow', flow_capacity: 1, flow_unit: 'GB', price: '5', bind_type: 'device' };
    expect((await world.east.call(extraCalls.create, { ...extra, device_id: [deviceId], expire_at: clock.now() - 1 })).data).toEqual({
      fields,
    });
    const { id } = (await create(world.east, { name: '即将过期', expire_at })).data;
    const form = (await world.east.call(packageCalls.read, { id })).data;
    const change = (more: object) => world.east.call(packageCalls.update, { ...form, id, ...more });
    expect((await change({ expire_at: clock.now() })).data).toEqual({ fields });
    await api.db
      .updateTable('package')
      .set({ expire_at: clock.now() - 1 })
      .where('id', '=', id)
      .execute();
    expect((await change({ expire_at: clock.now() - 1, description: '停售' })).code).toBe(0);
    expect((await world.east.call(packageCalls.remove, { id })).code).toBe(0);
  });

  it('cannot use a device or template of another branch, and is not visible there', async () => {
    expect((await create(world.west)).data).toEqual({ fields: { device_id: '请选择有效的数据' } });
    const application = await world.west.call(applicationCalls.create, { name: '西区', mode: 1, configure: ['9.197'] });
    const policy = await world.west.call(policyCalls.create, { name: '西区', ratio: 80, action: 2 });
    const templates = { application_id: application.data.id, policy_id: policy.data.id };
    for (const [field, id] of Object.entries(templates))
      expect((await create(world.east, { name: '借用', [field]: id })).data).toEqual({ fields: { [field]: '请选择有效的数据' } });
    await world.west.call(policyCalls.remove, { id: policy.data.id });
    expect((await world.west.call(packageCalls.list)).data.total).toBe(0);
    expect((await world.west.call(packageCalls.option)).data).toEqual({});
    expect((await world.admin.call(packageCalls.list, { device_id: deviceId })).data.total).toBe(1);
  });

  it('that is marked as hidden is not visible without the right to view hidden packages', async () => {
    const { id } = (await create(world.admin, { name: '内部套餐', is_hide: true })).data;
    const role = await makeRole(world.admin, '套餐员', grantsOf(['net_package']));
    await makeStaff(world.admin, 'seller', role);
    const seller = await api.login('seller');
    expect((await seller.call(packageCalls.read, { id })).code).toBe(10005);
    expect((await seller.call(packageCalls.list, { name: '内部' })).data.total).toBe(0);
    expect(Object.values((await seller.call(packageCalls.option)).data).map((p) => p.name)).not.toContain('内部套餐');
    expect((await create(seller, { name: '想隐藏', is_hide: true })).data).toHaveProperty('fields.is_hide');
    expect((await world.admin.call(staffRoles.calls.update, { id: role, version: 1, view_hide_pkg: true })).code).toBe(0);
    expect((await (await api.login('seller')).call(packageCalls.read, { id })).code).toBe(0);
  });

  it('costs at most the maximum amount of a bill', async () => {
    for (const price of ['100000000', '9999999999.99', '999999999999'])
      expect((await create(world.east, { name: '天价', price })).data).toMatchObject({
        fields: { price: '单笔金额不能超过99999999.99元' },
      });
    const { id } = (await create(world.east, { name: '天价', price: '99999999.99' })).data;
    const dearer = { ...flow({ name: '天价', price: '100000000' }), id, version: 1, lang: 'en' };
    expect((await world.east.call(packageCalls.update, dearer)).data).toHaveProperty('fields.price');
  });

  it('cannot be deleted while a subscriber holds it', async () => {
    const { id } = (await create(world.east, { name: '在用' })).data;
    const user = await api.db
      .insertInto('subscriber')
      .values(subscriberRow({ agent_id: world.eastId, account: 'holder1' }))
      .returning('id')
      .executeTakeFirstOrThrow();
    await api.db
      .insertInto('holding')
      .values({ subscriber_id: user.id, package_id: id, agent_id: world.eastId, start_at: 1, create_at: 1 })
      .execute();
    expect((await world.east.call(packageCalls.remove, { id })).code).toBe(20401);
    expect((await world.east.call(packageCalls.list, { used_count: 0, cond_used_count: 'gt' })).data.total).toBe(1);
  });
});

describe('an extra package', () => {
  it('is listed separately from online packages', async () => {
    const { device_id, bind_type } = flow();
    const made = await world.east.call(extraCalls.create, {
      name: '加油 1GB',
      package_type: 'flow',
      flow_capacity: 1,
      flow_unit: 'GB',
      price: '5',
      bind_type,
      device_id,
    });
    expect(made.code).toBe(0);
    expect((await world.east.call(extraCalls.list)).data.list[0]).toMatchObject({
      name: '加油 1GB',
      flow_capacity: '1 GB',
      time_capacity: null,
    });
    expect((await world.east.call(packageCalls.list, { name: '加油' })).data.total).toBe(0);
    expect((await world.east.call(packageCalls.read, { id: made.data.id })).code).toBe(10005);
    expect(Object.values((await world.east.call(packageCalls.option, { kind: 'addition' })).data)).toEqual([
      { name: '加油 1GB', weight: 0 },
    ]);
  });

  it('keeps the speed of the package that it extends, unless it has its own', async () => {
    const { device_id, bind_type } = flow();
    const input = { name: '加油 2GB', package_type: 'flow', flow_capacity: 2, flow_unit: 'GB', price: '5', bind_type, device_id };
    const { id } = (await world.east.call(extraCalls.create, input)).data;
    const online = (await create(world.east, { name: '限速月租' })).data;
    const { id: userId } = await api.db
      .insertInto('subscriber')
      .values(subscriberRow({ agent_id: world.eastId, account: 'boosted' }))
      .returning('id')
      .executeTakeFirstOrThrow();
    const begun = { subscriber_id: userId, agent_id: world.eastId, start_at: 1, create_at: 1, activated_at: 1 };
    await api.db
      .insertInto('holding')
      .values([
        { ...begun, package_id: online.id },
        { ...begun, package_id: id },
      ])
      .execute();
    const speeds = async () => {
      const phases = (await accessOf(api.db, [userId], api.clock.now())).get(userId)?.phases ?? [];
      return phases.map(({ up_speed, down_speed }) => [up_speed, down_speed]);
    };
    expect(await speeds()).toEqual([
      [512, 1024],
      [512, 1024],
    ]);
    const form = (await world.east.call(extraCalls.read, { id })).data;
    expect(form).toMatchObject({ own_up_speed: null, own_down_speed: null });
    const jobs = startJobs(api.deps, sweepJobs, { pollMs: 0 });
    await jobs.tick();
    await api.db.deleteFrom('account_change').execute();
    expect((await world.east.call(extraCalls.update, { ...form, own_up_speed: -1 })).data).toMatchObject({
      fields: { own_up_speed: expect.any(String) },
    });
    expect((await world.east.call(extraCalls.update, { ...form, own_down_speed: 0 })).code).toBe(0);
    expect((await world.east.call(extraCalls.list)).data.list[0]).toMatchObject({ own_up_speed: null, own_down_speed: 0 });
    expect((await speeds())[1]).toEqual([512, 0]);
    // The change reaches the gateways of its holders.
    await jobs.tick();
    await jobs.stop();
    expect(await api.db.selectFrom('account_change').select('subscriber_id').execute()).toContainEqual({ subscriber_id: userId });
  });
});

describe('templates', () => {
  it('for applications need at least one known protocol, and cannot be deleted while in use', async () => {
    const make = (configure: unknown) => world.east.call(applicationCalls.create, { name: '办公', mode: 1, configure });
    expect((await make([])).data).toMatchObject({ fields: { configure: '请选择应用协议' } });
    expect((await make(['999.999'])).data).toMatchObject({ fields: { configure: '包含未知的应用协议' } });
    const { id } = (await make(['9.197', '9.197'])).data;
    expect((await world.east.call(applicationCalls.list)).data.list[0]).toMatchObject({ configure: ['9.197'], protocol_count: 1 });
    expect((await world.east.call(applicationCalls.read, { id })).data).toMatchObject({ configure: ['9.197'] });
    expect((await create(world.east, { name: '带模板', application_id: id })).code).toBe(0);
    expect((await world.east.call(applicationCalls.remove, { id })).code).toBe(20402);
  });

  it('for credit control require a message for a reminder, and speed limits for throttling', async () => {
    const make = (more: object) => world.east.call(policyCalls.create, { name: '提醒', ratio: 80, action: 0, ...more });
    expect((await make({})).data).toMatchObject({ fields: { content: '请输入提醒内容' } });
    expect((await make({ action: 1, content: '已用 80%' })).data).toMatchObject({ fields: { limit_up: '请输入上行限速（kbps）' } });
    expect((await make({ ratio: 101, content: 'x' })).data).toMatchObject({ fields: { ratio: '数值范围为1-100' } });
    expect((await make({ action: 2 })).code).toBe(0);
    expect((await make({ action: 2 })).data).toMatchObject({ fields: { name: '模板名称已存在' } });
    expect((await world.east.call(policyCalls.list, { ratio: 70, cond_ratio: 'gt' })).data.total).toBe(1);
    expect((await world.west.call(policyCalls.list)).data.total).toBe(0);
  });
});

describe('a change of a sold package', () => {
  it('updates the status of its holders, also when its credit control changes', async () => {
    const { id: policy_id } = (await world.east.call(policyCalls.create, { name: '用尽停机', ratio: 80, action: 2 })).data;
    const form = flow({ name: '一个G', flow_capacity: 1, policy_id });
    const { id } = (await world.east.call(packageCalls.create, form)).data;
    const { id: userId } = await api.db
      .insertInto('subscriber')
      .values(subscriberRow({ agent_id: world.eastId, account: 'drained' }))
      .returning('id')
      .executeTakeFirstOrThrow();
    const used = { start_at: 1, create_at: 1, activated_at: 1, used_flow: 1024 ** 3 };
    await api.db
      .insertInto('holding')
      .values({ subscriber_id: userId, package_id: id, agent_id: world.eastId, ...used })
      .execute();
    const jobs = startJobs(api.deps, sweepJobs, { pollMs: 0 });
    const output = async () => {
      await jobs.tick();
      const { status, package_status } = await api.db
        .selectFrom('subscriber')
        .select(['status', 'package_status'])
        .where('id', '=', userId)
        .executeTakeFirstOrThrow();
      return [status, package_status];
    };
    const change = (version: number, flow_capacity: number) =>
      world.east.call(packageCalls.update, { ...form, flow_capacity, id, version });
    await change(1, 10);
    expect(await output()).toEqual(['normal', 'normal']);
    await change(2, 1);
    expect(await output()).toEqual(['shutdown', 'exhausted']);
    const policy = { id: policy_id, version: 1, name: '用尽提醒', ratio: 80, action: 0, content: '已用完' };
    expect((await world.east.call(policyCalls.update, policy)).code).toBe(0);
    expect(await output()).toEqual(['normal', 'exhausted']);
    await jobs.stop();
  });

  it('does not reactivate an expired holding', async () => {
    const form = { ...flow({ name: '三十天' }), package_type: 'time', time_capacity: 30, time_unit: 'day' };
    const { id } = (await world.east.call(packageCalls.create, form)).data;
    const row = subscriberRow({ agent_id: world.eastId, account: 'ended', package_due_at: 1 });
    const { id: userId } = await api.db.insertInto('subscriber').values(row).returning('id').executeTakeFirstOrThrow();
    const activated_at = api.clock.now() - 31 * 86_400;
    const begun = { subscriber_id: userId, package_id: id, agent_id: world.eastId, start_at: activated_at, activated_at };
    await api.db
      .insertInto('holding')
      .values({ ...begun, create_at: activated_at })
      .execute();
    const jobs = startJobs(api.deps, everySecond(sweepJobs), { pollMs: 0 });
    const output = async () => {
      await jobs.tick();
      return (await api.db.selectFrom('subscriber').select('package_status').where('id', '=', userId).executeTakeFirstOrThrow())
        .package_status;
    };
    expect(await output()).toBe('expired');
    expect((await world.east.call(packageCalls.update, { ...form, id, version: 1, time_capacity: 365 })).code).toBe(0);
    expect(await output()).toBe('expired');
    await jobs.stop();
  });
});
