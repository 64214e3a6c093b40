import { dayNumber, dayStart } from '@farlink/contract/kit/zone.ts';
import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FieldStage, openFieldStage } from '../../../test/field.ts';

let stage: FieldStage;
beforeAll(async () => {
  stage = await openFieldStage();
});
afterAll(() => stage?.close());

const day = 86_400;

it('counts the traffic of a device once, for its latest day in UTC+8', async () => {
  const { id, sn, key } = await stage.addDevice('DAYFLOW');
  const client = stage.client(sn, key);
  await client.connect();
  const said = (seq: number, t0: number, v: readonly (readonly [string, number, number])[]) =>
    client.publish(upTopic(sn, 't/flow'), JSON.stringify({ b: 'boot1', seq, t0, dt: 60, c: ['i', 'u', 'd'], v }));
  const counted = () => stage.db.selectFrom('device_flow_day').selectAll().where('device_id', '=', id).executeTakeFirst();
  const midnight = dayStart(stage.clock.now()) + day;
  const today = dayNumber(stage.clock.now());
  stage.clock.advance(midnight - 300 - stage.clock.now());
  await said(1, midnight - 900, [
    ['6d', 100, 1000],
    ['lte', 10, 20],
  ]);
  await said(1, midnight - 900, [['6d', 100, 1000]]);
  await said(2, midnight - 600, [['6d', 5, 5]]);
  // The gateway's clock is ahead of ours.
  await said(3, midnight + 60, [['6d', 0, 7]]);
  expect(await counted()).toEqual({ device_id: id, day: today, bytes: 1147 });
  stage.clock.advance(600);
  await said(4, midnight, [['6d', 1, 2]]);
  await said(5, midnight - 120, [['6d', 500, 500]]);
  expect(await counted()).toEqual({ device_id: id, day: today + 1, bytes: 3 });
});
