import { userAppLogCalls } from '@farlink/contract/log/user-app-log.ts';
import { userCalls as calls } from '@farlink/contract/user/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { type BillingFixture, day, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { postSale } from '../../domain/ledger/post-sale.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let billing: BillingFixture;
let reader: Caller;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  billing = await makeBillingFixture(api, world.eastId, 'East');
  await makeStaff(world.east, 'reader', await makeRole(world.east, '只看', grantsOf(['user_list'], '10')));
  reader = await api.login('reader');
});
afterAll(() => api.close());

const statusOf = async (id: number) => (await billing.account(id)).status;

describe('deleting accounts', () => {
  const remove = async (by: Caller, ...ids: number[]) => (await by.call(calls.remove, { ids })).data;
  const quote = async (by: Caller, ...ids: number[]) => (await by.call(calls.removal, { ids })).data;

  it('ends policies that no gateway has confirmed', async () => {
    const user = await billing.makeAccount({ status: 'expired' });
    const line = { policy_source: 'user_defined', custom_policy: true, operator: 'x', create_at: 1 } as const;
    const lines = (['pending', 'success'] as const).map((result) => ({ ...line, result }));
    await api.db
      .insertInto('policy_log')
      .values(lines.map((each) => ({ ...each, agent_id: world.eastId, subscriber_id: user.id, account: user.account })))
      .execute();
    await remove(world.east, user.id);
    const { list } = (await world.east.call(userAppLogCalls.list, { account: user.account })).data;
    expect(list.map(({ result, message }) => [result, message]).sort()).toEqual([
      ['fail', '账号已删除'],
      ['success', null],
    ]);
  });

  it('removes expired and disabled accounts, and keeps their bills', async () => {
    const expired = await billing.makeAccount({ status: 'expired' });
    const disabled = await billing.makeAccount({ status: 'disabled', device_id: await billing.makeDevice() });
    const normal = await billing.makeAccount();
    const seller = { agent_id: world.eastId, customer_id: null, operator: 'x' };
    const sale = {
      cause: 'gone:1',
      channel: 'counter',
      expense_type: 'open',
      pay_method: 'cash',
      income: '98.00',
      buyer: expired,
    } as const;
    await api.db.transaction().execute((db) => postSale(db, seller, sale, api.clock.now()));
    const result = await remove(world.east, expired.id, disabled.id, normal.id);
    expect(result).toMatchObject({ success: 2, fail: 1 });
    expect(result.list.find((r) => !r.success)?.message).toBe('仅已过期或禁用的账号可以删除');
    expect((await world.east.call(calls.read, { id: expired.id })).code).toBe(10005);
    const [bill] = await api.db.selectFrom('ledger_entry').selectAll().where('cause', '=', 'gone:1').execute();
    expect(bill).toMatchObject({ subscriber_id: null, account: expired.account, user_name: expired.name, net_income: '98.00' });
    const device = await api.db
      .selectFrom('device')
      .select('account_count')
      .where('id', '=', disabled.device_id ?? 0)
      .executeTakeFirstOrThrow();
    expect(device.account_count).toBe(0);
  });

  it('is refused while an account has a balance or a waiting payment order', async () => {
    const rich = await billing.makeAccount({ status: 'disabled' });
    const seller = { agent_id: world.eastId, customer_id: null, operator: 'x' };
    const sale = { cause: 'rich:1', channel: 'counter', expense_type: 'recharge', pay_method: 'cash', income: '50.00' } as const;
    await api.db.transaction().execute((db) => postSale(db, seller, { ...sale, into: 'balance', buyer: rich }, api.clock.now()));
    expect((await remove(world.east, rich.id)).list[0]?.message).toBe('账户余额为50.00元，退还后才能删除');
    const buyer = await billing.makeAccount({ status: 'expired' });
    await api.db
      .insertInto('pay_order')
      .values({
        agent_id: world.eastId,
        order_no: 'waiting1',
        channel: 'wechat',
        expense_type: 'recharge',
        subscriber_id: buyer.id,
        amount: '5.00',
        operator: 'x',
        expire_at: api.clock.now() + day,
        create_at: api.clock.now(),
      })
      .execute();
    expect((await remove(world.east, buyer.id)).list[0]?.message).toBe('该账号有待支付的订单，暂不能删除');
  });

  it('needs the amount that is lost with paid packages, which the question shows', async () => {
    const now = api.clock.now();
    const pkg = await billing.makePackage();
    const makeDisabled = (account: string) => billing.makeAccount({ account, status: 'disabled' });
    const unused = await makeDisabled('unused');
    const half = await makeDisabled('half');
    const ended = await makeDisabled('ended');
    const free = await makeDisabled('free');
    await billing.grantHolding(unused.id, pkg);
    await billing.grantHolding(half.id, pkg, { activated_at: now - 15 * day });
    await billing.grantHolding(ended.id, pkg, { activated_at: now - 40 * day });
    await billing.grantHolding(free.id, pkg, { price: '0.00' });
    const all = [unused.id, half.id, ended.id, free.id];
    expect(await quote(world.east, ...all)).toEqual({
      notes: [
        { text: 'unused：已付款而未用完的套餐价值 ¥98.00', tone: 'warning' },
        { text: 'half：已付款而未用完的套餐价值 ¥49.00', tone: 'warning' },
        { text: '删除后不再退还：¥147.00', tone: 'total' },
        { text: '未使用的在线订单可先在“在线账单”中撤销退款' },
      ],
      values: { forfeit: '147.00' },
    });
    expect(await quote(world.west, ...all)).toEqual({ notes: [] });
    const refused = await remove(world.east, ...all);
    expect(refused.list.map(({ message }) => message)).toEqual([
      '该账号有已付款而未用完的套餐，价值98.00元；删除后不再退还，请在删除前确认放弃该金额',
      '该账号有已付款而未用完的套餐，价值49.00元；删除后不再退还，请在删除前确认放弃该金额',
      '',
      '',
    ]);
    const pair = [unused.id, half.id];
    expect((await world.east.call(calls.remove, { ids: pair, forfeit: 'all' })).data).toHaveProperty('fields.forfeit');
    expect((await world.east.call(calls.remove, { ids: pair, forfeit: '146.99' })).data).toMatchObject({ success: 1, fail: 1 });
    expect((await world.east.call(calls.remove, { ids: [half.id], forfeit: '49.00' })).data).toMatchObject({ success: 1 });
    const [line] = await api.db
      .selectFrom('syslog')
      .select('before')
      .where('subject', '=', `subscriber:${half.id}`)
      .where('result', '=', 'success')
      .execute();
    expect(line?.before).toMatchObject({ unused_amount: '49.00' });
  });

  it('is refused to another VNO, to a view-only role and without a selection', async () => {
    const user = await billing.makeAccount({ status: 'expired' });
    expect(await remove(world.west, user.id)).toMatchObject({ success: 0, list: [{ message: '数据不存在' }] });
    expect((await reader.call(calls.remove, { ids: [user.id] })).code).toBe(10006);
    expect((await world.east.call(calls.remove, {})).data).toHaveProperty('fields.ids');
    expect(await statusOf(user.id)).toBe('expired');
  });
});
