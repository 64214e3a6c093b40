import { billCalls } from '@farlink/contract/finance/bill.ts';
import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { aaaUserCalls } from '@farlink/contract/user/aaa-user.ts';
import { moneyCalls } from '@farlink/contract/user/money.ts';
import { userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import { intOf, textOf } from '@farlink/gateway/radius/values.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PortalWorld, startPortalWorld } from '../../test/portal.ts';
import { openRadiusWorld } from '../../test/radius.ts';
import { openMikrotik, openUamRouter, refreshOf, routerFormOf } from '../../test/router.ts';
import { auditLedger } from '../domain/ledger/check-ledger.ts';
import { chargeOnce } from '../domain/metering/run/charge-waiting.ts';
import { rollTraffic } from '../domain/traffic/roll-traffic.ts';
import type { Radius } from '../radius/radius.ts';

const GB = 1024 ** 3;
const MB = 1024 ** 2;
const mac = '02-00-00-00-00-07';

let portal: PortalWorld;
let world: Awaited<ReturnType<typeof openRadiusWorld>>;
let radius: Radius;

beforeAll(async () => {
  portal = await startPortalWorld();
  world = await openRadiusWorld(portal.api.deps, portal.eastId);
  radius = await world.open();
});
afterAll(async () => {
  await radius.close();
  await portal.close();
});

/** A package of 1 GB that is slowed down to 64 KB/s when it is used up. */
const makeOffer = async () => {
  const limits = { ratio: 80, action: 1 as const, limit_up: 64, limit_down: 64, create_at: 1, update_at: 1 };
  const { id: policy_id } = await portal.api.db
    .insertInto('policy')
    .values({ agent_id: portal.eastId, name: `Slow ${mac}`, ...limits })
    .onConflict((oc) => oc.doNothing())
    .returning('id')
    .executeTakeFirstOrThrow();
  return portal.billing.makePackage({ ...portal.billing.flow, flow_capacity: 1, price: '10.00', policy_id, down_speed: 1024 });
};

const openUam = async () => {
  const router = await openUamRouter({ portal, world, radius });
  const goOnline = async (home: string) => router.logon(refreshOf(await portal.get(`${home}connect`)), mac);
  return { ...router, goOnline, downOf: (change: (typeof router.changes)[number]) => intOf(change, 'WISPr-Bandwidth-Max-Down') };
};
const openHotspot = async () => {
  const router = await openMikrotik({ portal, world, radius });
  const goOnline = async (home: string) => router.logon(routerFormOf(await portal.get(`${home}connect`)), mac, false);
  const downOf = (change: (typeof router.changes)[number]) => Number(textOf(change, 'Mikrotik-Rate-Limit')?.split('/')[1]);
  return { ...router, goOnline, downOf };
};

test('a user buys behind a router, is slowed at the quota, buys again and is fast; all figures agree', async () => {
  const { east, api } = portal;
  const offer = await makeOffer();
  for (const open of [openUam, openHotspot]) {
    const router = await open();
    const { id, account } = await world.makeAccount({}, null);
    await east.call(moneyCalls.recharge, { ids: [id], kind: 'amount', amount: '50' });
    const { location: here = '' } = await portal.get(router.redirect(mac));
    const { location: home = '' } = await portal.post(`${here}login`, { account, password: world.password });
    const buy = async () => (await portal.post(`${home}buy`, { package: String(offer.id), channel: 'balance' })).status;
    expect(await router.goOnline(home).catch(() => undefined)).toBeUndefined();
    expect(await buy()).toBe(303);
    const session = await router.goOnline(home);
    await session?.start();

    portal.advance(60);
    await session?.report('interim', 60, GB);
    while (await chargeOnce(api.deps));
    await expect.poll(() => router.changes.length).toBe(1);
    const online = async () => (await east.call(aaaUserCalls.online, { page: 1, limit: 10, lang: 'en', account })).data.list[0];
    await expect.poll(async () => (await online())?.limit_text).toBe('↑512 kbps ↓512 kbps');
    expect(router.downOf(router.changes[0] ?? { code: 0, id: 0, authenticator: Buffer.alloc(0), attributes: [] })).toBe(64 * 8192);

    expect(await buy()).toBe(303);
    await expect.poll(async () => (await online())?.limit_text).toMatch(/↓8/);
    const total = GB + 300 * MB;
    portal.advance(60);
    await session?.report('stop', 120, total);
    while (await chargeOnce(api.deps));
    await rollTraffic(api.deps, { all: true });

    const input = { page: 1, limit: 10, lang: 'en', account };
    const [log] = (await east.call(aaaUserCalls.log, input)).data.list;
    expect(log).toMatchObject({ down_bytes: total, terminate_cause: 'user' });
    const { data: traffic } = await east.call(trafficCalls.flow_usr.list, { ...input, stat_by: 'day' });
    expect(traffic.list.map(({ device_name, total_bytes }) => [device_name, total_bytes])).toEqual([[router.nas.name, total]]);
    const { data: status } = await east.call(userDetailCalls.serviceStatus, { id });
    expect(status.holdings.reduce((sum, { flow }) => sum + (flow?.used ?? 0), status.overrun_bytes)).toBe(total);
    const { data: bills } = await east.call(billCalls.online, { ...input, pay_method: 'balance' });
    expect(bills.list.map(({ amount }) => amount)).toEqual(['10.00', '10.00']);
    expect(await portal.balance(id)).toBe('30.00');
    const { data: service } = await east.call(userDetailCalls.service, { id, page: 1, limit: 20, lang: 'en' });
    expect(service.list.filter(({ kind }) => kind === 'enforced')).toHaveLength(2);
    router.close();
  }
  expect(await auditLedger(api.db)).toEqual([]);
});
