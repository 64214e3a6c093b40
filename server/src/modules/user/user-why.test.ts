import { deviceDetailCalls as device } from '@farlink/contract/device/device-detail.ts';
import { errors } from '@farlink/contract/errors.ts';
import { moneyCalls } from '@farlink/contract/user/money.ts';
import { userCalls as calls } from '@farlink/contract/user/user.ts';
import { userDetailCalls as detail } from '@farlink/contract/user/user-detail.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import type { GatewayOptions } from '@farlink/simulator/gateway-options.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantsOf } from '../../../test/api.ts';
import { type BillingFixture, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { type FleetApi, startFleetApi } from '../../../test/fleet-api.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { syncOnce } from '../../domain/access/sync-run.ts';
import { chargeOnce } from '../../domain/metering/run/charge-waiting.ts';
import { seal } from '../../kit/session/secret.ts';

const MB = 1024 ** 2;
let api: FleetApi;
let world: Awaited<ReturnType<typeof makeBranches>>;
let billing: BillingFixture;
let n = 0;

beforeAll(async () => {
  api = await startFleetApi();
  world = await makeBranches(api);
  billing = await makeBillingFixture(api, world.eastId, 'East');
});
afterAll(() => api.close());

const status = async (id: number, lang = 'zh') => (await world.east.call(detail.serviceStatus, { id, lang })).data;
const sync = async () => {
  while (await syncOnce(api.deps));
};

/** A connected gateway of VNO east that holds accounts. */
const ship = async (more: Partial<GatewayOptions> = {}) => {
  const made = await api.addGateway(world.eastId, `WHY-${++n}`, { bill: 1, version: '03.02.01', ...more });
  await made.gateway.connect();
  await expect.poll(async () => (await world.east.call(device.read, { id: made.id })).data.online_state).toBe(1);
  return made;
};

const openAccount = (device_id: number | null, more: object = {}) =>
  billing.makeAccount({ device_id, password: seal(api.deps.config.secretKey, 'secret-pass'), ...more });

const newPolicy = async (action: 0 | 1 | 2) => {
  const row = { agent_id: world.eastId, name: `C${++n}`, ratio: 80, action, limit_up: 16, limit_down: 32, create_at: 1, update_at: 1 };
  return (await api.db.insertInto('policy').values(row).returning('id').executeTakeFirstOrThrow()).id;
};
const tenMegabytes = { package_type: 'flow', time_capacity: null, time_unit: null, flow_capacity: 10, flow_unit: 'MB' } as const;

const use = async (gateway: Gateway, account: string, down: number) => {
  gateway.users.transfer(account, { u: 0, d: down });
  api.clock.advance(60);
  gateway.world.reportTraffic();
  await gateway.flushed();
  while (await chargeOnce(api.deps));
  await sync();
};

describe('the sync state of an account', () => {
  it('is synced only after its gateway has confirmed this revision, and pending again after each change', async () => {
    const { id: device_id, gateway } = await ship();
    const user = await openAccount(device_id);
    expect((await status(user.id)).sync).toMatchObject({ gateways: [], none: 'queued' });
    await sync();
    await expect
      .poll(async () => (await status(user.id)).sync.gateways)
      .toMatchObject([
        { device_id, device_name: `ship WHY-${n}`, state: 'synced', refusal: null, since: api.clock.now(), is_leaving: false },
      ]);
    await world.east.call(calls.forbid, { ids: [user.id], operate: 'disable' });
    expect((await status(user.id)).sync.counts).toEqual({ synced: 0, pending: 1, offline: 0, refused: 0 });
    await sync();
    await expect.poll(async () => (await status(user.id)).sync.counts.synced).toBe(1);
    gateway.stop(true);
    await expect.poll(async () => (await world.east.call(device.read, { id: device_id })).data.online_state).toBe(0);
    expect((await status(user.id)).sync.counts.synced, 'an offline gateway still holds it').toBe(1);
    const changed = api.clock.now();
    await world.east.call(calls.forbid, { ids: [user.id], operate: 'enable' });
    await sync();
    api.clock.advance(60);
    expect((await status(user.id)).sync.gateways).toMatchObject([{ state: 'offline', since: changed }]);
  });

  it('shows a refusal by the gateway, and a former gateway that still holds the account', async () => {
    const first = await ship();
    const second = await ship();
    const user = await openAccount(first.id);
    first.gateway.faults.refuseAccounts = new Set([user.account]);
    await sync();
    await expect
      .poll(async () => (await status(user.id)).sync.gateways)
      .toMatchObject([{ state: 'refused', refusal: expect.stringMatching(/./) }]);
    const { data: card } = await world.east.call(device.accounts, { id: first.id });
    expect(card).toMatchObject({ none: null, count: 1, refused: 1, refusals: [{ user_id: user.id, account: user.account }] });
    first.gateway.faults.refuseAccounts = new Set();
    first.gateway.stop(true);
    await expect.poll(async () => (await world.east.call(device.read, { id: first.id })).data.online_state).toBe(0);
    await api.db.updateTable('subscriber').set({ device_id: second.id }).where('id', '=', user.id).execute();
    await sync();
    await expect
      .poll(async () => (await status(user.id)).sync.gateways)
      .toMatchObject([
        { device_id: first.id, state: 'offline', is_leaving: true },
        { device_id: second.id, state: 'synced', is_leaving: false },
      ]);
  });

  it('shows why no gateway holds the account', async () => {
    const none = async (id: number) => (await status(id)).sync.none;
    expect(await none((await openAccount(null)).id)).toBe('unbound');
    expect(await none((await openAccount(billing.device_id)).id)).toBe('never_seen');
    const group = { agent_id: world.eastId, name: 'Empty', create_at: 1 };
    const { id } = await api.db.insertInto('device_group').values(group).returning('id').executeTakeFirstOrThrow();
    expect(await none((await openAccount(null, { device_group_id: id })).id)).toBe('empty_group');
    expect(await none((await openAccount((await ship({ bill: 2 })).id)).id)).toBe('aaa');
    const old = await ship({ version: '02.08.05' });
    expect(await none((await openAccount(old.id)).id)).toBe('too_old');
    const { data } = await world.east.call(device.resendAccounts, { ids: [old.id], lang: 'en' });
    expect(data).toMatchObject({ success: 0, fail: 1, list: [{ message: expect.stringContaining('does not support accounts') }] });
  });
});

describe('the service of an account', () => {
  it('shows full service, throttling and recovery by an extra package, with the actions that restore it', async () => {
    const { id: device_id, gateway } = await ship();
    const user = await openAccount(device_id);
    const online = await billing.makePackage({ ...tenMegabytes, name: '十兆', policy_id: await newPolicy(1), device_ids: [device_id] });
    const extra = await billing.makePackage({ ...tenMegabytes, kind: 'extra', name: '加油', flow_capacity: 5, device_ids: [device_id] });
    await billing.grantHolding(user.id, online);
    await sync();
    await expect.poll(async () => (await status(user.id)).sync.counts.synced).toBe(1);
    await gateway.users.login({ acc: user.account, password: 'secret-pass' }, false);
    await use(gateway, user.account, 4 * MB + 3);
    expect(await status(user.id)).toMatchObject({
      service: { mode: 'full' },
      blocked: null,
      refills: [],
      overrun_bytes: 0,
      next: null,
      holdings: [{ flow: { used: 4 * MB + 3, left: 6 * MB - 3 } }],
    });
    await use(gateway, user.account, 8 * MB);
    expect(await status(user.id)).toMatchObject({
      service: { mode: 'slow', limit_up: 16, limit_down: 32 },
      blocked: null,
      overrun_bytes: 2 * MB + 3,
      refills: ['addPackage', 'recharge', 'changePackage'],
    });
    /** In detail, list and the filter of the list. */
    const shown = async (package_status: string) => [
      (await world.east.call(calls.read, { id: user.id })).data.package_status,
      (await world.east.call(calls.list, { account: user.account, package_status })).data.list[0]?.package_status,
    ];
    expect(await shown('exhausted')).toEqual(['exhausted', 'exhausted']);
    const sold = await world.east.call(moneyCalls.addPackage, { ids: [user.id], package_id: extra.id, count: 1, pay_method: 'cash' });
    expect(sold.data).toMatchObject({ success: 1 });
    expect(await status(user.id)).toMatchObject({ service: { mode: 'full' }, refills: [] });
    expect(await shown('normal')).toEqual(['normal', 'normal']);
    const { data: events } = await world.east.call(detail.service, { id: user.id, lang: 'en' });
    expect(events.list.map(({ kind, package_name, content }) => [kind, package_name, content])).toEqual(
      expect.arrayContaining([
        ['activated', '十兆', ''],
        ['slow_down', null, '↑128 kbps ↓256 kbps'],
        ['overrun', null, '2 MB'],
        ['exhausted', '十兆', ''],
        ['lifted', '加油', ''],
      ]),
    );
    expect(events.list.map(({ at }) => Number(at))).toEqual(events.list.map(({ at }) => Number(at)).toSorted((a, b) => b - a));
  });

  it('shows why a login would be refused and how to fix it, and marks earlier rejections as solved', async () => {
    const blocked = async (id: number) => (await status(id)).blocked;
    const user = await openAccount(billing.device_id);
    expect(await blocked(user.id)).toEqual({ reason: 'no_package', fixes: ['changePackage', 'recharge'] });
    const stop = await billing.makePackage({ ...tenMegabytes, policy_id: await newPolicy(2) });
    await billing.grantHolding(user.id, stop, { activated_at: api.clock.now() - 10, used_flow: 10 * MB });
    expect(await blocked(user.id)).toMatchObject({ reason: 'shutdown', fixes: ['addPackage', 'recharge', 'changePackage'] });
    await api.db
      .insertInto('login_rejection')
      .values({ subscriber_id: user.id, device_id: billing.device_id, reason: 'shutdown', create_at: api.clock.now() })
      .execute();
    expect((await status(user.id)).last_rejection).toMatchObject({
      reason: 'shutdown',
      device_name: 'East 1',
      is_solved: false,
      fixes: ['addPackage', 'recharge', 'changePackage'],
    });
    await billing.grantHolding(user.id, await billing.makePackage({ ...tenMegabytes, kind: 'extra' }));
    expect(await status(user.id)).toMatchObject({ blocked: null, last_rejection: { is_solved: true, fixes: [] } });
    for (const [reason, patch, fix] of [
      ['frozen', { status: 'frozen' }, 'enable'],
      ['reserved_shutdown', { status: 'reserved_shutdown' }, 'reopen'],
      ['expired', { status: 'normal', expire_at: api.clock.now() }, 'extend'],
    ] as const) {
      await api.db.updateTable('subscriber').set(patch).where('id', '=', user.id).execute();
      expect(await blocked(user.id)).toEqual({ reason, fixes: [fix] });
    }
    await api.db
      .insertInto('login_rejection')
      .values({ subscriber_id: user.id, reason: 'wrong_password', create_at: api.clock.now() + 1 })
      .execute();
    expect((await status(user.id)).last_rejection).toMatchObject({ is_solved: false, fixes: ['passwd'] });
    const session = { subscriber_id: user.id, agent_id: world.eastId, session_id: 'later', login_at: api.clock.now() + 5 };
    await api.db.insertInto('online_session').values(session).execute();
    expect((await status(user.id)).last_rejection).toMatchObject({ is_solved: true });
  });

  it('shows the next package and the next quota reset', async () => {
    const now = api.clock.now();
    const user = await openAccount(billing.device_id);
    const cycle = { cycle_length: 1, cycle_unit: 'day', cycle_quota: 2, cycle_quota_unit: 'MB' } as const;
    const daily = await billing.makePackage({ package_type: 'time_flow', flow_capacity: 20, flow_unit: 'MB', name: '日包', ...cycle });
    await billing.grantHolding(user.id, daily, { activated_at: now - 3600 });
    const first = await status(user.id);
    expect(first).toMatchObject({ next: null, reset_at: first.holdings[0]?.cycle?.resets_at });
    const later = await billing.makePackage({ name: '下月包' });
    const holding = await billing.grantHolding(user.id, later, { start_at: now + 9000 });
    expect((await status(user.id)).next).toEqual({ holding, package_name: '下月包', at: now + 9000, is_waiting: true });
    const extra = await billing.makePackage({ ...tenMegabytes, kind: 'extra', name: '加油二' });
    await billing.grantHolding(user.id, extra);
    expect((await status(user.id)).next).toMatchObject({ package_name: '加油二', at: now - 3600 + 30 * 86_400, is_waiting: false });
  });
});

describe('accounts of a gateway', () => {
  it('are all sent again once on request, with an entry in the operator log', async () => {
    const { id, gateway } = await ship();
    const user = await openAccount(id);
    await billing.grantHolding(user.id, await billing.makePackage({ ...tenMegabytes, device_ids: [id] }));
    await sync();
    const card = async () => (await world.east.call(device.accounts, { id })).data;
    await expect.poll(card).toMatchObject({ count: 1, pending: 0, pending_since: null, acked_at: api.clock.now() });
    const before = await card();
    expect(before.acked).toBe(before.rev);
    await gateway.users.login({ acc: user.account, password: 'secret-pass' }, false);
    expect((await world.east.call(device.resendAccounts, { ids: [id] })).data).toMatchObject({ success: 1, fail: 0 });
    expect(await card()).toMatchObject({ pending: 1 });
    expect((await status(user.id)).sync.counts.pending).toBe(1);
    await sync();
    await expect.poll(card).toMatchObject({ count: 1, pending: 0 });
    expect((await card()).rev).toBeGreaterThan(before.rev);
    expect(gateway.accounts.summary.n).toBe(1);
    expect(gateway.users.sessions.map(({ acc }) => acc)).toEqual([user.account]);
    expect((await status(user.id)).sync.counts.synced).toBe(1);
    const { data: log } = await world.east.call(device.log, { id });
    expect(log.list[0]?.content).toBe(`重新下发设备 ship WHY-${n} (WHY-${n}) 的全部账号`);
  });
});

describe('service and accounts of a VNO', () => {
  it('are not found by another VNO', async () => {
    const { id } = await ship();
    const user = await openAccount(id);
    const { code } = errors.not_found;
    for (const call of [detail.service, detail.serviceStatus]) expect((await world.west.call(call, { id: user.id })).code).toBe(code);
    for (const call of [device.accounts, device.trafficCheck]) expect((await world.west.call(call, { id })).code).toBe(code);
    expect((await world.west.call(device.resendAccounts, { ids: [id] })).data).toMatchObject({ success: 0, fail: 1 });
    const { is_lost } = (await api.db.selectFrom('account_sync').select('is_lost').where('device_id', '=', id).executeTakeFirst()) ?? {
      is_lost: false,
    };
    expect(is_lost).toBe(false);
  });

  it('are denied to staff without the page, and read-only staff cannot send accounts', async () => {
    const { id } = await ship();
    const user = await openAccount(id);
    await makeStaff(world.east, 'why_none', await makeRole(world.east, '只看设备', grantsOf(['device_list', 'device_detail'], '10')));
    const limited = await api.login('why_none');
    for (const call of [detail.service, detail.serviceStatus])
      expect((await limited.call(call, { id: user.id })).code).toBe(errors.denied.code);
    expect((await limited.call(device.accounts, { id })).code).toBe(0);
    expect((await limited.call(device.resendAccounts, { ids: [id] })).code).toBe(errors.denied.code);
  });
});

describe('an account that is bound to nothing', () => {
  it('is blocked and sold nothing, is counted, and goes online at all gateways once it is bound to the whole VNO', async () => {
    const first = await ship();
    const second = await ship();
    const user = await openAccount(null);
    const pkg = await billing.makePackage({ ...tenMegabytes, name: '散客', device_ids: [first.id] });
    await billing.grantHolding(user.id, pkg);
    expect((await status(user.id)).blocked).toEqual({ reason: 'unbound', fixes: ['device'] });
    const sale = { ids: [user.id], package_id: pkg.id, pay_method: 'cash', effect: 'now' } as const;
    const refused = await world.east.call(moneyCalls.changePackage, { ...sale, lang: 'en' });
    expect(refused.data.list).toMatchObject([{ success: false, message: errors.account_unbound.text[1] }]);
    const unusable = async () => (await world.east.call(calls.list, { binding: 'unusable' })).data.list.map(({ id }) => id);
    expect(await unusable()).toContain(user.id);
    expect((await world.east.call(calls.device, { ids: [user.id], bind_type: 'vno' })).data).toMatchObject({ success: 1 });
    expect(await unusable()).not.toContain(user.id);
    expect((await world.east.call(calls.read, { id: user.id })).data).toMatchObject({ bind_type: 'vno', bind_name: 'VNO east' });
    await sync();
    await expect
      .poll(async () => (await status(user.id)).sync.gateways.filter(({ state }) => state === 'synced').map(({ device_id }) => device_id))
      .toEqual(expect.arrayContaining([first.id, second.id]));
    expect((await status(user.id)).blocked).toBeNull();
    const later = await ship();
    await sync();
    await expect.poll(async () => (await status(user.id)).sync.gateways.map(({ device_id }) => device_id)).toContain(later.id);
  });
});
