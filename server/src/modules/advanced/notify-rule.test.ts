import { apLinkNotificationCalls as ap } from '@farlink/contract/advanced/ap-link-notification.ts';
import { deviceStatusNotifyCalls as status } from '@farlink/contract/advanced/device-status-notify.ts';
import { errors } from '@farlink/contract/errors.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, grantsOf, startApi } from '../../../test/api.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let devices: Record<'east' | 'child' | 'west', number>;

const makeDevice = async (agent_id: number, sn: string) =>
  (
    await api.db
      .insertInto('device')
      .values({ agent_id, name: `船 ${sn}`, sn, create_at: 1, online_state: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  devices = {
    east: await makeDevice(world.eastId, 'E1'),
    child: await makeDevice(world.childId, 'C1'),
    west: await makeDevice(world.westId, 'W1'),
  };
});
afterAll(() => api.close());

const rule = (more: object = {}) => ({ device_id: devices.east, events: ['offline', 'online'], emails: ['noc@sea.cn'], ...more });
const refused = (field: string, text: string) => ({ code: errors.bad_input.code, data: { fields: { [field]: text } } });
const same = '通知邮箱已存在';
const limitText = '每台设备最多3个通知邮箱';

describe('a notification rule for a device', () => {
  let id: number;

  it('is created, and is listed with its device and its events in a fixed order', async () => {
    const { east } = world;
    const made = await east.call(status.create, rule({ remark: '值班' }));
    expect(made.code, JSON.stringify(made)).toBe(0);
    id = made.data.id;
    const { list } = (await east.call(status.list, { sn: 'e1' })).data;
    expect(list).toEqual([
      expect.objectContaining({
        id,
        device_id: devices.east,
        device_name: '船 E1',
        events: ['online', 'offline'],
        emails: ['noc@sea.cn'],
        status: 1,
        last_notify_at: null,
        agent_name: 'VNO east',
        remark: '值班',
        version: 1,
      }),
    ]);
    expect(list[0]).toMatchObject({ create_at: api.clock.now() });
  });

  it('refuses missing or invalid mailboxes and events, and a device of another VNO', async () => {
    const { east } = world;
    expect(await east.call(status.create, rule({ emails: ['noc'] }))).toMatchObject(refused('emails', '邮箱格式不正确'));
    expect(await east.call(status.create, rule({ emails: [] }))).toMatchObject(refused('emails', '请输入通知邮箱'));
    expect(await east.call(status.create, rule({ events: [] }))).toMatchObject(refused('events', '请选择通知事件'));
    expect((await east.call(status.create, rule({ events: ['up'] }))).code).toBe(errors.bad_input.code);
    expect(await east.call(status.create, rule({ device_id: devices.west }))).toMatchObject(refused('device_id', '请选择有效的设备'));
  });

  it('accepts at most three mailboxes per device and no duplicates, within one rule and across rules', async () => {
    const { east } = world;
    const four = ['1@a.cn', '2@a.cn', '3@a.cn', '4@a.cn'];
    expect(await east.call(status.create, rule({ emails: four }))).toMatchObject(refused('emails', limitText));
    expect(await east.call(status.create, rule({ emails: ['a@b.cn', 'A@B.cn'] }))).toMatchObject(refused('emails', same));
    expect(await east.call(status.create, rule({ emails: ['NOC@sea.cn'] }))).toMatchObject(refused('emails', same));
    expect(await east.call(status.create, rule({ emails: four.slice(1) }))).toMatchObject(refused('emails', limitText));
    expect((await east.call(status.create, rule({ emails: four.slice(2) }))).code).toBe(0);
    // Mailboxes are counted separately per device and per kind of rule.
    expect((await east.call(status.create, rule({ device_id: devices.child, emails: four.slice(1) }))).code).toBe(0);
    expect((await east.call(ap.create, { device_id: devices.east, events: ['up'], emails: four.slice(1) })).code).toBe(0);
  });

  it('keeps the mailbox limit when several rules are created concurrently', async () => {
    const device_id = await makeDevice(world.eastId, 'E2');
    const emails = Array.from({ length: 6 }, (_, i) => [`${i}@a.cn`, `x${i}@a.cn`]);
    const replies = await Promise.all(emails.map((pair) => world.east.call(status.create, rule({ device_id, emails: pair }))));
    expect(replies.filter((a) => a.code === 0)).toHaveLength(1);
  });

  it('is disabled, changed and deleted with a log entry each; unchanged and stale updates are refused', async () => {
    const { east } = world;
    expect((await east.call(status.update, { id, version: 1, status: 0 })).code).toBe(0);
    expect((await east.call(status.update, { id, version: 1, status: 1 })).code).toBe(errors.stale.code);
    expect((await east.call(status.update, { id, version: 2, status: 0 })).code).toBe(errors.unchanged.code);
    const whole = rule({ status: 0, remark: '值班' });
    expect((await east.call(status.update, { id, version: 2, ...whole })).code).toBe(errors.unchanged.code);
    expect(await east.call(status.update, { id, version: 2, ...whole, emails: ['3@a.cn'] })).toMatchObject(refused('emails', same));
    const changed = await east.call(status.update, { id, version: 2, ...whole, events: ['auth', 'link'], remark: '', lang: 'en' });
    expect(changed.code).toBe(0);
    const row = await api.db.selectFrom('notify_rule').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ events: ['auth', 'link'], remark: null, status: 0, version: 3, lang: 'en', creator: 'east' });
    expect((await east.call(status.remove, { id })).code).toBe(0);
    expect((await east.call(status.remove, { id })).code).toBe(errors.not_found.code);
    const log = await api.db
      .selectFrom('syslog')
      .select(['content_zh', 'before', 'after'])
      .where('content_zh', 'like', '%设备状态通知 船 E1')
      .execute();
    expect(log.map((l) => l.content_zh.slice(0, 2))).toEqual(['新增', '新增', '修改', '修改', '删除']);
    expect(log[3]).toMatchObject({ before: { remark: '值班' }, after: { remark: null, events: ['auth', 'link'] } });
  });

  it('can be filtered by device, mailbox, state and VNO, and sorted by the last notification', async () => {
    const { east } = world;
    const found = async (filters: object) => (await east.call(status.list, { limit: 100, ...filters })).data.total;
    expect(await found({ device_id: devices.child })).toBe(1);
    expect(await found({ email: '3@A.cn' })).toBe(2);
    expect(await found({ email: '%' })).toBe(0);
    expect(await found({ status: 0 })).toBe(0);
    expect(await found({ vno_id: world.childId })).toBe(1);
    const ids = async (orderby?: string) => (await east.call(status.list, { limit: 100, orderby })).data.list.map((row) => row.id);
    const [first = 0, second = 0, third = 0] = await ids();
    for (const [at, one] of [first, third, second].entries())
      await api.db.updateTable('notify_rule').set({ last_notify_at: at }).where('id', '=', one).execute();
    expect(await ids('last_notify_at asc')).toEqual([first, third, second]);
    expect(await ids('last_notify_at desc')).toEqual([second, third, first]);
  });

  it('is visible to parent VNOs, not to child or sibling VNOs, and only within the devices of a role', async () => {
    const total = async (by: typeof world.east) => (await by.call(status.list, { limit: 100 })).data.total;
    expect([await total(world.admin), await total(world.child), await total(world.west)]).toEqual([3, 1, 0]);
    const { list } = (await world.east.call(status.list, { device_id: devices.east })).data;
    const other = list[0]?.id ?? 0;
    for (const by of [world.child, world.west]) {
      expect((await by.call(status.update, { id: other, version: 1, status: 0 })).code).toBe(errors.not_found.code);
      expect((await by.call(status.remove, { id: other })).code).toBe(errors.not_found.code);
    }
    const narrow = { scope: 'device', device_limit: 'specified', device_ids: [devices.child], gateway_permissions: {} };
    const role = await makeRole(world.east, 'one ship', grantsOf(['device_status_notify']), narrow);
    await makeStaff(world.east, 'one_ship', role);
    const keeper = await api.login('one_ship');
    expect(await total(keeper)).toBe(1);
    expect(await keeper.call(status.create, rule())).toMatchObject(refused('device_id', '请选择有效的设备'));
  });

  it('is no longer listed after its device moves to another VNO', async () => {
    const device_id = await makeDevice(world.eastId, 'E3');
    await world.east.call(status.create, rule({ device_id }));
    await api.db.updateTable('device').set({ agent_id: world.westId }).where('id', '=', device_id).execute();
    for (const by of [world.admin, world.west]) expect((await by.call(status.list, { device_id })).data.total).toBe(0);
  });
});

describe('a notification rule for access points', () => {
  it('applies to one access point or to all, and shows the state of the access point', async () => {
    const { east } = world;
    const device_id = await makeDevice(world.eastId, 'E4');
    const aps = JSON.stringify([
      ['甲板', 1, 4, 'AA:BB:CC:00:00:01'],
      ['机舱', 0, 0, 'aa:bb:cc:00:00:02'],
    ]);
    await api.db.insertInto('device_status').values({ device_id, boot: 'b', n: 1, at: 1, seen_at: 1, aps }).execute();
    const one = (ap_mac: string, mailbox: string) => ({ device_id, ap_mac, events: ['up', 'offline'], emails: [mailbox] });
    for (const [mac, mailbox] of [
      ['aa:bb:cc:00:00:01', 'a@a.cn'],
      ['AA:BB:CC:00:00:02', 'a@a.cn'],
      ['', 'b@a.cn'],
    ] as const)
      expect((await east.call(ap.create, one(mac, mailbox))).code).toBe(0);
    const { list } = (await east.call(ap.list, { device_id, orderby: 'create_at asc' })).data;
    expect(list.map((row) => [row.ap_name, row.ap_mac, row.ap_state])).toEqual([
      ['甲板', 'aa:bb:cc:00:00:01', 'up'],
      ['机舱', 'aa:bb:cc:00:00:02', 'offline'],
      ['全部AP', null, null],
    ]);
    expect((await east.call(ap.list, { ap_mac: 'CC:00:00:02' })).data.total).toBe(1);
    // A mailbox cannot have a rule for all access points and a rule for one of them.
    expect(await east.call(ap.create, one('', 'a@a.cn'))).toMatchObject(refused('emails', same));
    expect(await east.call(ap.create, one('aa:bb:cc:00:00:01', 'b@a.cn'))).toMatchObject(refused('emails', same));
    expect(await east.call(ap.create, one('xx', 'c@a.cn'))).toMatchObject(refused('ap_mac', 'MAC地址格式应为 xx:xx:xx:xx:xx:xx'));
    await api.db.updateTable('device').set({ online_state: 0 }).where('id', '=', device_id).execute();
    expect((await east.call(ap.list, { device_id, lang: 'en' })).data.list.map((row) => row.ap_state)).toEqual([null, null, null]);
  });

  it('cannot be deleted through the call for device rules', async () => {
    const { list } = (await world.east.call(ap.list, { limit: 100 })).data;
    const id = list[0]?.id ?? 0;
    expect((await world.east.call(status.remove, { id })).code).toBe(errors.not_found.code);
    expect((await world.east.call(ap.update, { id, version: list[0]?.version, status: 0 })).code).toBe(0);
  });
});
