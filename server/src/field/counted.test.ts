import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FieldStage, openFieldStage } from '../../test/field.ts';
import { countedOf } from './counted.ts';

let stage: FieldStage;
beforeAll(async () => {
  stage = await openFieldStage();
});
afterAll(() => stage.close());

it('tells how many gateways are connected, what they said and why it was refused', async () => {
  const { sn, key } = await stage.addDevice('COUNT-1');
  const client = stage.client(sn, key);
  await client.connect();
  await client.publish(upTopic(sn, 's'), '{"not":"a status"}');
  await client.publish(upTopic('SOMEBODY-ELSE', 's'), '{}');
  const told = Object.fromEntries(countedOf(stage.endpoint()).map(({ name, read }) => [name, read()]));
  expect(told.gateway_connections).toEqual({ open: 1 });
  expect(told.gateway_messages).toMatchObject({ accepted: 0, body: 1, foreign: 1 });
});
