/** @module-tag all */
import { type CampaignView, configCampaignCalls as calls } from '@farlink/contract/config/campaign.ts';
import { templateCalls } from '@farlink/contract/config/config-template.ts';
import { noFaults } from '@farlink/simulator/faults.ts';
import { Gateway } from '@farlink/simulator/gateway.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Caller } from '../../../../test/api.ts';
import { type FleetApi, startFleetApi } from '../../../../test/fleet-api.ts';
import { configCampaignJobs } from '../../../domain/config/campaign/campaign-job.ts';
import { startJobs } from '../../../kit/jobs/job-runner.ts';
import { keyColumns, newKey } from '../../../orders/device-key.ts';

/** Behaviour of a gateway on the change; one in twenty does not apply it at once. */
type Behavior = 'good' | 'rejects' | 'silent' | 'offline';
const count = 1000;
const behaviorOf = (i: number): Behavior => (i % 60 === 19 ? 'rejects' : i % 60 === 39 ? 'silent' : i % 60 === 59 ? 'offline' : 'good');

let api: FleetApi;
let admin: Caller;
const gateways: { readonly gateway: Gateway; readonly sn: string; readonly manner: Behavior }[] = [];

beforeAll(async () => {
  api = await startFleetApi();
  admin = await api.login('admin');
  const agent_id = admin.session?.agent_id ?? 0;
  const some = Array.from({ length: count }, (_, i) => ({ sn: `K-${String(i).padStart(4, '0')}`, key: newKey(), manner: behaviorOf(i) }));
  await api.db
    .insertInto('device')
    .values(some.map(({ sn, key }) => ({ agent_id, name: sn, sn, create_at: 1, ...keyColumns(key) })))
    .execute();
  const where = { host: '127.0.0.1', port: api.endpoint.port, realMs: () => api.clock.now() * 1000 };
  for (const { sn, key, manner } of some) {
    const faults = {
      ...noFaults(),
      reject: new Set(manner === 'rejects' ? ['network_dns'] : []),
      slowApply: manner === 'silent' ? 1e9 : 0,
    };
    const gateway = new Gateway({ sn, key, seed: 1, calm: true, faults, ...where });
    gateway.current = '6d';
    gateways.push({ gateway, sn, manner });
  }
  const here = gateways.filter(({ manner }) => manner !== 'offline');
  for (let i = 0; i < here.length; i += 50)
    await Promise.all(here.slice(i, i + 50).map(async ({ gateway, sn }) => expect(await gateway.connect(), sn).toBe(true)));
}, 60_000);
afterAll(async () => {
  for (const { gateway } of gateways) gateway.stop(false);
  await api?.close();
});

it('a campaign to 1000 gateways, one in twenty with a fault, gives each the correct state and applies nothing twice', async () => {
  const { id } = (
    await admin.call(templateCalls.create, {
      name: '千船',
      level: 'platform',
      sections: { network_dns: { set: { min_ttl: 77 } }, advanced_syslog: { set: { local_size: 256 } } },
    })
  ).data;
  const campaign = (await admin.call(calls.start, { id, target: 'place' })).data.id;
  await startJobs(api.deps, configCampaignJobs, { pollMs: 0 }).tick();
  const of = (manner: Behavior) => gateways.filter((one) => one.manner === manner).length;
  const read = async (): Promise<CampaignView> => (await admin.call(calls.read, { id: campaign })).data;
  const ended = { applied: of('good'), refused: of('rejects'), waiting: of('silent') + of('offline') };
  await vi.waitFor(async () => expect((await read()).counts).toMatchObject(ended), { timeout: 30_000, interval: 100 });
  expect(ended.applied).toBe(950);

  const rows = await api.db.selectFrom('config_campaign_device').selectAll().where('campaign_id', '=', campaign).execute();
  const stateOf = new Map(rows.map((row) => [row.sn, row.state]));
  const expected = { good: 'applied', rejects: 'refused', silent: 'waiting', offline: 'waiting' } as const;
  for (const { sn, manner } of gateways) expect(stateOf.get(sn), sn).toBe(expected[manner]);
  const once = await api.db
    .selectFrom('config_revision')
    .select(({ fn }) => ['device_id', 'section', fn.countAll<number>().as('n')])
    .groupBy(['device_id', 'section'])
    .execute();
  expect([once.length, once.every(({ n }) => n === 1)]).toEqual([2 * count, true]);
  // All or none: a gateway that rejects one page does not apply the other one either.
  for (const { gateway, manner } of gateways) {
    const doc = (section: string) => gateway.configuration.sections.get(section)?.doc;
    expect([doc('network_dns')?.min_ttl === 77, doc('advanced_syslog')?.local_size === 256]).toEqual(Array(2).fill(manner === 'good'));
  }

  // Offline gateways reconnect; rejecting gateways are repaired before the retry.
  for (const { gateway, manner } of gateways) {
    if (manner === 'offline') expect(await gateway.connect()).toBe(true);
    if (manner === 'rejects') gateway.faults.reject = new Set();
  }
  await admin.call(calls.retry, { id: campaign });
  await startJobs(api.deps, configCampaignJobs, { pollMs: 0 }).tick();
  const after = { applied: count - of('silent'), refused: 0, waiting: of('silent') };
  await vi.waitFor(async () => expect((await read()).counts).toMatchObject(after), { timeout: 30_000, interval: 100 });
  const applies = await api.db
    .selectFrom('config_apply')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('campaign_id', '=', campaign)
    .executeTakeFirstOrThrow();
  expect(applies.n).toBe(count + of('rejects'));
}, 60_000);
