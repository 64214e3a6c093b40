import { dayNumber, dayStart } from '@farlink/contract/kit/zone.ts';
import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../../test/field.ts';

let testServer: FieldTestServer;
beforeAll(async () => {
  testServer = await openFieldTestServer();
});
afterAll(() => testServer?.close());

const day = 86_400;

it('counts the traffic of a device once, for its latest day in UTC+8', async () => {
  const { id, sn, key } = await testServer.addDevice('DAYFLOW');
  const client = testServer.client(sn, key);
  await client.connect();
  const output = (seq: number, t0: number, v: readonly (readonly [string, number, number])[]) =>
    client.publish(upTopic(sn, 't/flow'), JSON.stringify({ b: 'boot1', seq, t0, dt: 60, c: ['i', 'u', 'd'], v }));
  const storedDay = () => testServer.db.selectFrom('device_flow_day').selectAll().where('device_id', '=', id).executeTakeFirst();
  const midnight = dayStart(testServer.clock.now()) + day;
  const today = dayNumber(testServer.clock.now());
  testServer.clock.advance(midnight - 300 - testServer.clock.now());
  await output(1, midnight - 900, [
    ['6d', 100, 1000],
    ['lte', 10, 20],
  ]);
  await output(1, midnight - 900, [['6d', 100, 1000]]);
  await output(2, midnight - 600, [['6d', 5, 5]]);
  // The clock of the gateway is ahead.
  await output(3, midnight + 60, [['6d', 0, 7]]);
  expect(await storedDay()).toEqual({ device_id: id, day: today, bytes: 1147 });
  testServer.clock.advance(600);
  await output(4, midnight, [['6d', 1, 2]]);
  await output(5, midnight - 120, [['6d', 500, 500]]);
  expect(await storedDay()).toEqual({ device_id: id, day: today + 1, bytes: 3 });
});
