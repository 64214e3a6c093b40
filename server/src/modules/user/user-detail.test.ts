import { userCalls as calls } from '@farlink/contract/user/user.ts';
import { userDetailCalls as detail } from '@farlink/contract/user/user-detail.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { type BillingFixture, gigabyte, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let billing: BillingFixture;

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  billing = await makeBillingFixture(api, world.eastId, 'East');
});
afterAll(() => api.close());

describe('the user detail page', () => {
  it('shows the remaining quota of each package, the package in use, and the resulting service', async () => {
    const now = api.clock.now();
    const user = await billing.makeAccount({ online_count: 1 });
    const small = await billing.makePackage({ ...billing.flow, name: '小包', flow_capacity: 1, priority: 1 });
    const large = await billing.makePackage({ ...billing.flow, name: '大包', priority: 50 });
    await billing.grantHolding(user.id, large);
    await billing.grantHolding(user.id, small, { activated_at: now - 10, used_flow: gigabyte / 4 });
    await api.db
      .insertInto('online_session')
      .values({ subscriber_id: user.id, agent_id: world.eastId, session_id: 's1', ip: '10.1.1.1', mac: 'aa', login_at: now - 60 })
      .execute();
    await api.db
      .insertInto('login_rejection')
      .values({ subscriber_id: user.id, reason: 'too_many', create_at: now - 5 })
      .execute();
    const { data } = await world.east.call(detail.serviceStatus, { id: user.id });
    expect(data.holdings.map((h) => [h.package_name, h.turn, h.percent])).toEqual([
      ['小包', 1, 25],
      ['大包', 2, 0],
    ]);
    expect(data.holdings[0]?.flow).toEqual({ capacity: gigabyte, used: gigabyte / 4, left: gigabyte * 0.75 });
    expect(data).toMatchObject({
      service: { mode: 'full' },
      online: { count: 1, ip: '10.1.1.1', since: now - 60 },
      last_rejection: { reason: 'too_many' },
      last_use: { at: now, device_name: null },
    });
    const bare = await billing.makeAccount();
    expect((await world.east.call(detail.serviceStatus, { id: bare.id })).data).toMatchObject({
      holdings: [],
      service: { mode: 'stop', reason: 'no_package' },
    });
  });

  it('shows the last session as the last use, and none before the first session', async () => {
    const now = api.clock.now();
    const user = await billing.makeAccount({ device_id: billing.device_id });
    await api.db
      .insertInto('sync_log')
      .values({
        agent_id: world.eastId,
        device_id: billing.device_id,
        direction: 'down',
        total: 1,
        success_count: 1,
        fail_count: 0,
        result: 'success',
        duration: 1,
        create_at: now - 3,
      })
      .execute();
    const lastUse = async () => (await world.east.call(detail.serviceStatus, { id: user.id })).data.last_use;
    expect(await lastUse()).toBeNull();
    await api.db
      .insertInto('online_session')
      .values({
        subscriber_id: user.id,
        agent_id: world.eastId,
        device_id: billing.device_id,
        session_id: 'used',
        login_at: now - 90,
        logout_at: now - 30,
      })
      .execute();
    expect(await lastUse()).toEqual({ at: now - 30, device_name: 'East 1' });
  });

  it('shows the effective application policy and credit policy, and why they apply', async () => {
    const template = async (table: 'application' | 'policy', name: string) => {
      const stamp = { agent_id: world.eastId, name, create_at: 1, update_at: 1 };
      const values =
        table === 'application'
          ? await api.db
              .insertInto('application')
              .values({ ...stamp, mode: 1, configure: ['9.197'] })
              .returning('id')
              .executeTakeFirstOrThrow()
          : await api.db
              .insertInto('policy')
              .values({ ...stamp, ratio: 80, action: 2 })
              .returning('id')
              .executeTakeFirstOrThrow();
      return values.id;
    };
    const mine = await template('application', '我的');
    const ofPackage = await template('application', '套餐的');
    const credit = await template('policy', '信控');
    const pkg = await billing.makePackage({ application_id: ofPackage, policy_id: credit });
    const user = await billing.makeAccount({ custom_policy: true, application_id: mine });
    await billing.grantHolding(user.id, pkg);
    const { data } = await world.east.call(detail.policy, { id: user.id });
    expect(data.application.map((s) => [s.level, s.rule?.name ?? null, s.wins])).toEqual([
      ['account', null, false],
      ['user', '我的', true],
      ['package', '套餐的', false],
      ['device', null, false],
    ]);
    expect(data.application[1]?.text).toBe('更高级别均未设置，由用户自定义策略生效');
    expect(data.application[2]?.text).toBe('已设置，但被优先级更高的用户自定义策略覆盖');
    expect(data.credit.find((s) => s.wins)).toMatchObject({ level: 'package', rule: { name: '信控' } });
    expect((await world.east.call(detail.policy, { id: user.id, lang: 'en' })).data.application[0]?.text).toBe('Not set');
    const config = await api.db
      .selectFrom('open_config')
      .select('id')
      .where('agent_id', '=', world.eastId)
      .where('account_type', '=', 'personal')
      .executeTakeFirstOrThrow();
    await api.db.updateTable('open_config').set({ application_id: ofPackage }).where('id', '=', config.id).execute();
    await api.db.updateTable('subscriber').set({ config_id: config.id }).where('id', '=', user.id).execute();
    expect((await world.east.call(detail.policy, { id: user.id })).data.application.find((s) => s.wins)?.level).toBe('account');
  });

  it('does not show the hidden package of a card without the right to view it', async () => {
    const user = await billing.makeAccount();
    const hidden = await billing.makePackage({ name: '内部专用', is_hide: true });
    const stamp = { agent_id: world.eastId, expire_at: api.clock.now() + 1, create_at: 1 };
    const batch = { card_type: 'package', package_id: hidden.id, period: 1, denomination: '98.00', count: 1 } as const;
    const rule = await api.db
      .insertInto('card_rule')
      .values({ ...stamp, ...batch, batch_no: 'C1', name: '卡', producer: '-', update_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await api.db
      .insertInto('recharge_card')
      .values({ ...stamp, rule_id: rule.id, number: '1000', password: '-', status: 'used', used_at: 1, subscriber_id: user.id })
      .execute();
    await makeStaff(world.east, 'plain_seller', await makeRole(world.east, '普通', grantsOf(['user_list', 'user_detail'])));
    const names = async (by: Caller) => (await by.call(detail.cards, { id: user.id })).data.list.map((card) => card.package_name);
    expect(await names(await api.login('plain_seller'))).toEqual([null]);
    expect(await names(world.admin)).toEqual(['内部专用']);
  });

  it('lists sessions, rejections, cards and operator actions, each only in its branch', async () => {
    const now = api.clock.now();
    const user = await billing.makeAccount({ account: 'storied' });
    const open = { subscriber_id: user.id, agent_id: world.eastId, device_id: billing.device_id };
    await api.db
      .insertInto('online_session')
      .values([
        { ...open, session_id: 'a', login_at: now - 500, logout_at: now - 100, up_bytes: 5, terminate_cause: 'idle' },
        { ...open, session_id: 'b', login_at: now - 50, down_speed: 80 },
      ])
      .execute();
    await api.db.insertInto('login_rejection').values({ subscriber_id: user.id, reason: 'wrong_mac', mac: 'ab', create_at: now }).execute();
    expect((await world.east.call(calls.online, { user_id: user.id })).data.list).toMatchObject([
      { duration: 50, down_speed: 80, up_speed: null, device_name: 'East 1', terminate_cause: null },
      { duration: 400, terminate_cause: 'idle' },
    ]);
    expect((await world.east.call(calls.online, { user_id: user.id, orderby: 'duration desc' })).data.list[0]?.duration).toBe(400);
    expect((await world.east.call(calls.online)).data).toHaveProperty('fields.user_id');
    expect((await world.east.call(calls.rejections, { id: user.id })).data.list).toMatchObject([{ reason: 'wrong_mac', mac: 'ab' }]);
    expect((await world.east.call(detail.cards, { id: user.id })).data.total).toBe(0);
    await world.admin.call(calls.forbid, { ids: [user.id], operate: 'freeze' });
    await world.east.call(calls.forbid, { ids: [user.id], operate: 'enable' });
    const seen = (await world.east.call(detail.log, { id: user.id })).data.list;
    expect(seen.map((l) => [l.content, l.name === '上级运营商', l.ip === null])).toEqual([
      ['启用用户 storied', false, false],
      ['冻结用户 storied', true, true],
    ]);
    expect((await world.admin.call(detail.log, { id: user.id })).data.list.every((l) => l.ip !== null)).toBe(true);
    for (const call of [calls.rejections, detail.cards, detail.log, detail.serviceStatus, detail.policy, calls.photo])
      expect((await world.west.call(call, { id: user.id })).code).toBe(10005);
    expect((await world.west.call(calls.online, { user_id: user.id })).code).toBe(10005);
  });
});
