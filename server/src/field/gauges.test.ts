import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../test/field.ts';
import { gaugesOf } from './gauges.ts';

let testServer: FieldTestServer;
beforeAll(async () => {
  testServer = await openFieldTestServer();
});
afterAll(() => testServer.close());

it('counts connected gateways, their messages and the reasons of refusals', async () => {
  const { sn, key } = await testServer.addDevice('COUNT-1');
  const client = testServer.client(sn, key);
  await client.connect();
  await client.publish(upTopic(sn, 's'), '{"not":"a status"}');
  await client.publish(upTopic('SOMEBODY-ELSE', 's'), '{}');
  const values = Object.fromEntries(gaugesOf(testServer.endpoint()).map(({ name, read }) => [name, read()]));
  expect(values.gateway_connections).toEqual({ open: 1, waiting: 0 });
  expect(values.gateway_messages).toMatchObject({ accepted: 0, body: 1, foreign: 1 });
});
