import { keptSecret } from '@farlink/contract/config/config.ts';
import { runCalls } from '@farlink/contract/config/run.ts';
import { watchCalls } from '@farlink/contract/config/watch.ts';
import { wizardCalls } from '@farlink/contract/config/wizard.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../../../test/api.ts';
import { fieldsOf } from '../../../../test/api.ts';
import { type ConfigApi, startConfigApi } from '../../../../test/config-api.ts';
import { makeFleet } from '../../../../test/fleet.ts';
import { openGates } from '../../../../test/gates.ts';
import { makeBranches } from '../../../../test/world.ts';

let api: ConfigApi;
let east: Caller;
let eastId: number;

beforeAll(async () => {
  api = await startConfigApi();
  ({ eastId } = await makeBranches(api));
  await openGates(api);
  east = await api.login('east');
});
afterAll(() => api?.close());

it('sends at most 32 unexpired read commands to a gateway, for any number of requests', async () => {
  const fleet = makeFleet(api, 'WCH');
  const { id } = await fleet.online(eastId);
  const log = [...gatewayPages.values()].find(({ kind }) => kind === 'log')?.key;
  const watch = (before: number) => east.call(watchCalls.watch, { device_id: id, page: log, ask: true, before });
  for (let i = 0; i < 40; i++) expect((await watch(api.clock.now() - i)).code).toBe(0);
  expect(await fleet.commands(id)).toHaveLength(32);
  // After those commands expire, new ones are accepted.
  api.clock.advance(60);
  await watch(api.clock.now());
  expect(await fleet.commands(id)).toHaveLength(33);
});

it('accepts live data with an invalid total, and shows no total', async () => {
  const gateway = await api.addTestGateway(eastId, 'TOTAL1');
  await gateway.connect();
  const page = [...gatewayPages.values()].find(({ kind }) => kind === 'status')?.key;
  const watch = async (ask: boolean) => (await east.call(watchCalls.watch, { device_id: gateway.id, page, ask })).data;
  await watch(true);
  const { id } = await api.db.selectFrom('device_command').select('id').where('device_id', '=', gateway.id).executeTakeFirstOrThrow();
  for (const [i, total] of [1.5, 3_000_000_000, -1].entries()) {
    await gateway.publish(`r/${id}`, { st: 'run', out: { at: i + 1, rows: [{ n: i }], total } });
    expect(await watch(false)).toMatchObject({ rows: [{ n: i }], total: null });
  }
  await gateway.publish(`r/${id}`, { st: 'run', out: { at: 9, rows: [], total: 7 } });
  expect(await watch(false)).toMatchObject({ total: 7 });
});

it('does not accept the placeholder of a secret as its value', async () => {
  const gateway = await api.addTestGateway(eastId, 'KEPT1');
  const run = { device_id: gateway.id, page: 'diagnosis_log_collect', args: { archive_password: keptSecret } };
  expect(fieldsOf(await east.call(runCalls.run, run))).toMatchObject({ archive_password: '请重新输入' });
  const guide = { device_id: gateway.id, page: 'guide_wifi_portal', values: { passphrase: keptSecret } };
  expect(fieldsOf(await east.call(wizardCalls.write, guide))).toMatchObject({ passphrase: '请重新输入' });
});
