import { errors } from '@farlink/contract/errors.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { gigabyte } from '../../test/billing-fixture.ts';
import { openFleet } from '../../test/fleet-api.ts';
import { crewPassword, type PortalWorld, startPortalWorld } from '../../test/portal.ts';
import { syncOnce } from '../domain/access/sync-run.ts';
import { chargeOnce } from '../domain/metering/run/charge-waiting.ts';

let w: PortalWorld;
let fleet: Awaited<ReturnType<typeof openFleet>>;
let gateway: Gateway;

beforeAll(async () => {
  w = await startPortalWorld();
  // Values that the fixture sets must come from the gateway here.
  await w.api.db.updateTable('device').set({ online_state: 0, caps: [] }).where('id', '=', w.billing.device_id).execute();
  fleet = await openFleet(w.api);
  gateway = await fleet.gatewayOf(w.billing.device_id, { bill: 1, version: '03.02.01', calm: true });
  await gateway.connect();
});
afterAll(async () => {
  await fleet.close();
  await w.close();
});
beforeEach(() => w.advance(61));

const readDevice = () =>
  w.api.db.selectFrom('device').select(['online_state', 'caps']).where('id', '=', w.billing.device_id).executeTakeFirstOrThrow();
const sync = async () => {
  while (await syncOnce(w.api.deps));
};
const entryOf = (account: string) => gateway.accounts.get(account, w.api.clock.now())?.entry;
const serviceOf = (account: string) => gateway.accounts.service(account, w.api.clock.now());
const onlineRows = async (user_id: number) => (await w.east.call(userCalls.online, { user_id })).data.list;

/** A client that the gateway sends to the hosted portal. Returns the address of its pages. */
const arrive = async (mac: string, lang: string) => (await w.get(`?gw=${await w.signed(mac)}`, { 'accept-language': lang })).location ?? '';

const cases = [
  ['zh', 'wechat', '02:00:00:00:0a:01', '没有可用套餐，请先购买', '支付成功'],
  ['en', 'alipay', '02:00:00:00:0a:02', 'No package is active. Please buy one first.', 'Paid:'],
] as const;

describe.each(cases)('a subscriber of the hosted portal on a live gateway (%s, %s)', (lang, channel, mac, noPackage, paid) => {
  test('buys a package, logs in, uses it and logs out; console, gateway and portal agree at each step', async () => {
    await expect.poll(readDevice).toMatchObject({ online_state: 1, caps: expect.arrayContaining(['accounts', 'login']) });
    const { id, account } = await w.account();
    const pkg = await w.billing.makePackage({ ...w.billing.flow, name: `Ten ${lang}`, price: '98.37' });
    await sync();
    await expect.poll(() => serviceOf(account)).toMatchObject({ mode: 'stop', reason: 'no_package' });

    // Without a package the gateway refuses the login, and the portal shows the reason.
    const first = await w.enter(account, crewPassword, await arrive(mac, lang));
    await expect.poll(async () => (await w.get(first)).text).toContain(noPackage);
    expect(gateway.users.sessions.filter(({ acc }) => acc === account)).toEqual([]);
    expect(await onlineRows(id)).toEqual([]);

    // The signed notice of the provider completes the order, and the entry on the gateway gets its bytes.
    const before = gateway.accounts.summary.rev;
    const { location: order = '' } = await w.post(`${first}buy`, { package: String(pkg.id), channel });
    expect(await w.standIn.pay(order.split('/').at(-1) ?? '')).toEqual({ accepted: true, tries: 1 });
    expect((await w.get(order)).text).toContain(paid);
    expect(await w.billing.bills(id)).toMatchObject([{ income: '98.37', pay_method: channel, package_id: pkg.id }]);
    await sync();
    await expect.poll(() => entryOf(account)).toMatchObject({ ph: [{ b: 10 * gigabyte }] });
    expect(serviceOf(account)?.mode).not.toBe('stop');
    expect(gateway.accounts.summary.rev).toBeGreaterThan(before);

    // A login sends user.login; the session of the gateway is stored as a row of the console.
    await w.advance(61);
    const home = await w.enter(account, crewPassword, await arrive(mac, lang));
    await expect.poll(() => gateway.users.sessions).toMatchObject([{ acc: account, mac, ip: '192.168.1.9' }]);
    await expect.poll(() => onlineRows(id)).toMatchObject([{ mac, ip: '192.168.1.9', logout_at: null, device_name: 'east 1' }]);
    const args = { acc: account, mac, ip: '192.168.1.9' };
    await expect
      .poll(async () => (await w.commands('user.login')).at(-1))
      .toMatchObject({ args, state: commandState.id('done'), err: null });
    expect((await w.get(`${home}devices`)).text).toContain(mac);
    expect(JSON.parse((await w.get(`${home}captive`)).text)).toMatchObject({ captive: false });

    // Traffic is charged, and portal and console show the same remaining quota.
    gateway.users.transfer(account, { u: 12_345, d: 3 * gigabyte });
    await w.advance(60);
    gateway.world.reportTraffic();
    await gateway.flushed();
    while (await chargeOnce(w.api.deps));
    const left = (await w.east.call(userDetailCalls.serviceStatus, { id })).data.holdings[0]?.flow?.left ?? 0;
    expect(left).toBe(7 * gigabyte - 12_345);
    expect((await w.get(home)).text).toContain(bytesText(left));

    // The logout ends the session on the gateway and its row.
    expect((await w.post(`${home}logout`, {})).status).toBe(303);
    await expect.poll(() => gateway.users.sessions).toEqual([]);
    await expect.poll(() => onlineRows(id)).toMatchObject([{ terminate_cause: 'kick', down_bytes: 3 * gigabyte }]);
    expect((await w.west.call(userCalls.online, { user_id: id })).code).toBe(errors.not_found.code);
  });
});
