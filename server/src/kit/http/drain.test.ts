import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { buildApp } from '../../app.ts';
import { drain } from './drain.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

it('serves calls while it drains, ends their connections, and is not ready', async () => {
  const app = await buildApp(service.deps);
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true });
  const get = async (path: string) => {
    const call = request(`${base}${path}`, { agent }).end();
    const [response]: IncomingMessage[] = await once(call, 'response');
    const body = response && (await text(response));
    return { status: response?.statusCode, connection: response?.headers.connection, body };
  };
  expect(await get('/healthz')).toMatchObject({ status: 200, connection: 'keep-alive' });
  await drain(service.deps);
  expect(await get('/healthz')).toMatchObject({ status: 503, connection: 'close', body: '{"ready":false}' });
  expect(await get('/agt/v1/captcha')).toMatchObject({ status: 200, connection: 'close' });
  agent.destroy();
  await app.close();
});
