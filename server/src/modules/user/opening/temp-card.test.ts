import { billCalls } from '@farlink/contract/finance/bill.ts';
import { moneyCalls } from '@farlink/contract/user/money.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { userBillCalls } from '@farlink/contract/user/user-bill.ts';
import { tempCardCalls } from '@farlink/contract/user/user-temp.ts';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import { attribute } from '@farlink/gateway/radius/values.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../../../test/api.ts';
import { type BillingFixture, day, makeBillingFixture } from '../../../../test/billing-fixture.ts';
import { type FleetApi, startFleetApi } from '../../../../test/fleet-api.ts';
import { accounting, openRadiusWorld, openUdpNas, pap } from '../../../../test/radius.ts';
import { makeBranches } from '../../../../test/world.ts';
import { syncOnce } from '../../../domain/access/sync-run.ts';
import { auditLedger } from '../../../domain/ledger/check-ledger.ts';
import { chargeOnce } from '../../../domain/metering/run/charge-waiting.ts';

const MB = 1024 ** 2;
let api: FleetApi;
let world: Awaited<ReturnType<typeof makeBranches>>;
let billing: BillingFixture;
beforeAll(async () => {
  api = await startFleetApi();
  world = await makeBranches(api);
  billing = await makeBillingFixture(api, world.eastId, 'East');
});
afterAll(() => api.close());

interface Card {
  readonly id: number;
  readonly account: string;
  readonly password: string;
}

/** Cards and their passwords from the exported list. */
const make = async (by: Caller, device_id: number, package_id: number, count: number): Promise<Card[]> => {
  const input = { count, package_id, allow_logins: 1, bind_type: 'device', device_id, expire_at: api.clock.now() + 30 * day };
  const { data } = await by.call(tempCardCalls.create, input);
  expect(data).toMatchObject({ success: count });
  const { token = '', uid = 0 } = by.session ?? {};
  const url = `${api.base}/agt/v1/user/opening/report/${data.id}?format=csv&uid=${uid}`;
  const [, ...lines] = (await (await fetch(url, { headers: { authorization: token } })).text()).trim().split('\r\n');
  const listed = (await by.call(tempCardCalls.list, { package_id })).data.list;
  return lines.map((line) => {
    const [account = '', password = ''] = line.split(',');
    return { account, password, id: listed.find((row) => row.account === account)?.id ?? 0 };
  });
};

const charge = async () => {
  while (await chargeOnce(api.deps));
};
const shown = async (by: Caller, { account }: Card) => (await by.call(tempCardCalls.list, { account })).data.list[0];
const bills = async (by: Caller, call: typeof billCalls.counter | typeof userBillCalls.list, account?: string) =>
  (await by.call(call, account === undefined ? {} : { account })).data;
const collected = async (by: Caller) =>
  (
    await api.db
      .selectFrom('customer')
      .select('income_used')
      .where('id', '=', by.session?.uid ?? 0)
      .executeTakeFirstOrThrow()
  ).income_used;

describe('a temporary card', () => {
  it('is sold at its first use at a gateway or by RADIUS: one bill, in the sums, on the account of its maker', async () => {
    const { id: device_id, gateway } = await api.addGateway(world.eastId, 'TEMP-1', { bill: 1, version: '03.02.01' });
    await gateway.connect();
    const stop = { agent_id: world.eastId, name: 'Stop', ratio: 80, content: 'x', action: 2, limit_up: 0, limit_down: 0 } as const;
    const { id: policy_id } = await api.db
      .insertInto('policy')
      .values({ ...stop, create_at: 1, update_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const pkg = await billing.makePackage({ ...billing.flow, flow_unit: 'MB', price: '9.00', device_ids: [device_id], policy_id });
    const [first, second, unused] = await make(world.east, device_id, pkg.id, 3);
    if (!first || !second || !unused) throw new Error('no cards');
    expect(await shown(world.east, first)).toMatchObject({ sale: 'unsold', card_price: '9.00', first_use_at: null });
    expect(await bills(world.east, billCalls.counter)).toMatchObject({ total: 0, sums: { net_income: '0.00' } });

    while (await syncOnce(api.deps));
    await expect.poll(() => gateway.accounts.get(first.account, api.clock.now())).toBeDefined();
    expect(await gateway.users.login({ acc: first.account, password: first.password }, false)).toMatchObject({
      session: expect.anything(),
    });
    gateway.users.transfer(first.account, { u: 0, d: 2 * MB });
    api.clock.advance(60);
    gateway.world.reportTraffic();
    await gateway.flushed();
    await charge();

    const site = await openRadiusWorld(api.deps, world.eastId);
    const radius = await site.open();
    const nas = await site.makeNas();
    await radius.reload();
    const udp = await openUdpNas(radius, nas.secret);
    const login = async () => (await udp.request(udp.encode(pap(second.account, second.password, nas.secret, [nas.self]))))?.code;
    const report = (status: 'start' | 'interim' | 'stop', seconds: number, bytes: number) => {
      const counters = [attribute('Acct-Session-Time', seconds), attribute('Acct-Output-Octets', bytes)];
      return udp.request(udp.encode(accounting(status, [nas.self, attribute('User-Name', second.account), session, ...counters])));
    };
    const session = attribute('Acct-Session-Id', 'temp-1');
    expect(await login()).toBe(codes.accessAccept);
    await report('start', 0, 0);
    api.clock.advance(60);
    await report('interim', 60, MB);
    await charge();

    for (const call of [billCalls.counter, userBillCalls.list]) {
      const listing = await bills(world.east, call);
      expect(listing).toMatchObject({ total: 2, sums: { income: '18.00', net_income: '18.00' } });
      expect(listing.list.map(({ account }) => account).sort()).toEqual([first.account, second.account].sort());
      expect(listing.list[0]).toMatchObject({ income: '9.00', expense_type: 'open', pay_method: 'cash', package_name: pkg.name });
    }
    expect(await collected(world.east)).toBe('18.00');
    expect(await shown(world.east, second)).toMatchObject({ sale: 'sold' });
    expect(await shown(world.east, unused)).toMatchObject({ sale: 'unsold' });

    // To the last byte: the service ends and no second bill appears.
    api.clock.advance(60);
    await report('stop', 120, 10 * MB);
    await charge();
    gateway.users.transfer(first.account, { u: 0, d: 8 * MB });
    api.clock.advance(60);
    gateway.world.reportTraffic();
    await gateway.flushed();
    await charge();
    expect([...(await billing.holdings(first.id)), ...(await billing.holdings(second.id))]).toMatchObject([
      { state: 'exhausted', used_flow: 10 * MB },
      { state: 'exhausted', used_flow: 10 * MB },
    ]);
    expect(await login()).toBe(codes.accessReject);
    expect((await bills(world.east, billCalls.counter)).total).toBe(2);
    udp.close();
    await radius.close();

    // An unused card is void without a bill; the bills of used cards stay.
    for (const { id } of [first, unused]) {
      expect((await world.east.call(userCalls.forbid, { ids: [id], operate: 'disable' })).data.success).toBe(1);
      expect((await world.east.call(userCalls.remove, { ids: [id] })).data.success).toBe(1);
    }
    expect(await bills(world.east, billCalls.counter)).toMatchObject({ total: 2, sums: { net_income: '18.00' } });
    expect(await auditLedger(api.db)).toEqual([]);
  });

  it('returns the unused part of its package in a change after the first use, and nothing before', async () => {
    const pkg = await billing.makePackage({ ...billing.flow, flow_unit: 'MB', price: '8.00' });
    const next = await billing.makePackage({ price: '20.00' });
    const [used, unused] = await make(world.east, billing.device_id, pkg.id, 2);
    if (!used || !unused) throw new Error('no cards');
    await api.db
      .insertInto('usage')
      .values({ subscriber_id: used.id, source: 'aaa', at: api.clock.now(), seconds: 60, up_bytes: 0, down_bytes: 5 * MB, create_at: 1 })
      .execute();
    await charge();
    const change = { ids: [used.id, unused.id], package_id: next.id, effect: 'now', pay_method: 'cash' };
    expect((await world.east.call(moneyCalls.changePackage, change)).data.success).toBe(2);
    const changes = async (id: number) => (await billing.bills(id)).map(({ income, expend }) => [income, expend]);
    expect(await changes(used.id)).toEqual([
      ['8.00', '0.00'],
      ['20.00', '4.00'],
    ]);
    expect(await changes(unused.id)).toEqual([['20.00', '0.00']]);
  });
});
