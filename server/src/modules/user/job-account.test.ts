import { errors } from '@farlink/contract/errors.ts';
import { billCalls } from '@farlink/contract/finance/bill.ts';
import { offerCalls } from '@farlink/contract/package/offer.ts';
import { addCalls } from '@farlink/contract/user/add.ts';
import { moneyCalls, quoteCalls } from '@farlink/contract/user/money.ts';
import { userCalls as calls } from '@farlink/contract/user/user.ts';
import { userDetailCalls as detail } from '@farlink/contract/user/user-detail.ts';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import { intOf } from '@farlink/gateway/radius/values.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BillingFixture, day, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { type FleetApi, startFleetApi } from '../../../test/fleet-api.ts';
import { openRadiusWorld, openUdpNas, pap } from '../../../test/radius.ts';
import { makeBranches } from '../../../test/world.ts';
import { syncOnce } from '../../domain/access/sync-run.ts';
import { chargeOnce } from '../../domain/metering/run/charge-waiting.ts';

const MB = 1024 ** 2;
const password = 'Work2026';
let api: FleetApi;
let world: Awaited<ReturnType<typeof makeBranches>>;
let billing: BillingFixture;

beforeAll(async () => {
  api = await startFleetApi();
  world = await makeBranches(api);
  billing = await makeBillingFixture(api, world.eastId, 'East');
});
afterAll(() => api.close());

const sync = async () => {
  while (await syncOnce(api.deps));
};

const form = (account: string, device_id: number, package_id: number | undefined) => ({
  account_source: 'counter',
  account_type: 'job',
  account,
  password,
  repassword: password,
  name: '值班',
  phone: '13800000001',
  allow_logins: 5,
  bind_type: 'device',
  device_id,
  package_id,
  expire_at: api.clock.now() + 365 * day,
});

const open = async (account: string, device_id: number, package_id: number) => {
  const { code, data } = await world.east.call(addCalls.add, form(account, device_id, package_id));
  expect(code).toBe(0);
  expect(data).toMatchObject({ bill_no: null });
  return data.id;
};
const save = async (id: number, more: object) => {
  const { data } = await world.east.call(calls.read, { id });
  return world.east.call(calls.update, { ...data, id, ...more });
};

describe('a job account', () => {
  it('comes online at its gateway and by RADIUS, uses its package, and has no bill', async () => {
    const { id: device_id, gateway } = await api.addGateway(world.eastId, 'JOB-1', { bill: 1, version: '03.02.01' });
    await gateway.connect();
    const pkg = await billing.makePackage({ ...billing.flow, device_ids: [device_id], up_speed: 64, down_speed: 128 });
    const id = await open('duty_one', device_id, pkg.id);
    await sync();
    await expect.poll(async () => (await world.east.call(detail.serviceStatus, { id })).data.sync.counts.synced).toBe(1);
    expect(await gateway.users.login({ acc: 'duty_one', password }, false)).toMatchObject({ session: expect.anything() });
    expect(gateway.accounts.service('duty_one', api.clock.now())).toMatchObject({ mode: 'full', up: 64, down: 128 });
    gateway.users.transfer('duty_one', { u: 0, d: 4 * MB });
    api.clock.advance(60);
    gateway.world.reportTraffic();
    await gateway.flushed();
    while (await chargeOnce(api.deps));
    expect(await billing.holdings(id)).toMatchObject([{ package_id: pkg.id, price: '0.00', used_flow: 4 * MB, state: 'normal' }]);

    const site = await openRadiusWorld(api.deps, world.eastId);
    const radius = await site.open();
    const nas = await site.makeNas();
    await radius.reload();
    const udp = await openUdpNas(radius, nas.secret);
    const reply = await udp.request(udp.encode(pap('duty_one', password, nas.secret, [nas.self])));
    expect(reply?.code).toBe(codes.accessAccept);
    expect(reply && intOf(reply, 'WISPr-Bandwidth-Max-Down')).toBe(128 * 8192);
    udp.close();
    await radius.close();

    expect(await billing.bills(id)).toEqual([]);
    expect((await world.east.call(billCalls.counter, { account: 'duty_one' })).data.total).toBe(0);
    expect((await world.east.call(calls.read, { id })).data).toMatchObject({ package_name: pkg.name, package_status: 'normal' });
  });

  it('needs a package, and sees no prices', async () => {
    const reply = await world.east.call(addCalls.add, form('duty_none', billing.device_id, undefined));
    expect(reply.data).toEqual({ fields: { package_id: expect.any(String) } });
    const pkg = await billing.makePackage({ name: 'Duty', price: '77.70' });
    const bound = { bind_type: 'device', device_id: billing.device_id };
    const offer = async (account_type: string) =>
      (await world.east.call(offerCalls.option, { ...bound, account_type })).data[pkg.id]?.name ?? '';
    expect(await offer('personal')).toContain('77.70');
    expect(await offer('job')).toContain('Duty');
    expect(await offer('job')).not.toContain('77.70');
  });

  it('gets another package in its form at once and without a sale; the same package only after its end', async () => {
    const first = await billing.makePackage();
    const second = await billing.makePackage();
    const id = await open('duty_two', billing.device_id, first.id);
    expect((await save(id, { package_id: first.id })).code).toBe(10011);
    expect((await save(id, { package_id: second.id })).code).toBe(0);
    expect(await billing.holdings(id)).toMatchObject([
      { package_id: first.id, state: 'expired' },
      { package_id: second.id, state: 'to_be_used', price: '0.00' },
    ]);
    const log = await api.db
      .selectFrom('syslog')
      .selectAll()
      .where('subject', '=', `subscriber:${id}`)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(log).toMatchObject({ before: { package_id: first.id }, after: { package_id: second.id } });
    await billing.grantHolding(id, second, { activated_at: api.clock.now() - 40 * day });
    await api.db.updateTable('holding').set({ expire_at: api.clock.now() }).where('subscriber_id', '=', id).execute();
    expect((await save(id, { package_id: second.id })).code).toBe(0);
    expect((await billing.account(id)).package_status).toBe('to_be_used');
    expect(await billing.bills(id)).toEqual([]);
    const elsewhere = await billing.makePackage({ device_ids: [await billing.makeDevice()] });
    expect((await save(id, { package_id: elsewhere.id })).code).toBe(20525);
    const personal = await billing.makeAccount({ phone: '13812340001' });
    expect((await save(personal.id, { package_id: first.id })).data).toHaveProperty('fields.package_id');
  });

  it('is offered its form, and no recharge, when it has no package', async () => {
    const { id } = await billing.makeAccount({ account_type: 'job' });
    const { data } = await world.east.call(detail.serviceStatus, { id });
    expect(data.blocked).toEqual({ reason: 'no_package', fixes: ['edit'] });
  });

  it('cannot buy an extra package', async () => {
    const online = await billing.makePackage();
    const extra = await billing.makePackage({ kind: 'extra' });
    const { id } = await billing.makeAccount({ account_type: 'job' });
    await billing.grantHolding(id, online, { activated_at: api.clock.now() });
    const { data } = await world.east.call(moneyCalls.addPackage, { ids: [id], package_id: extra.id, count: 1 });
    expect(data.list).toMatchObject([{ success: false, message: errors.job_not_sold.text[0] }]);
    const quote = await world.east.call(quoteCalls.addPackage, { ids: [id], package_id: extra.id, count: 1 });
    expect(quote.data.notes).toMatchObject([{ tone: 'warning' }]);
  });
});
