import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { isDirect, isLoopback } from './direct-caller.ts';

const callerOf = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') => {
  const app = fastify({ trustProxy: true });
  app.get('/', async (request) => ({ direct: isDirect(request), loopback: isLoopback(request) }));
  return (await app.inject({ url: '/', headers, remoteAddress })).json<{ direct: boolean; loopback: boolean }>();
};

test('a caller is local only if both its socket address and its Host header are local', async () => {
  for (const host of ['localhost', 'localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'a.localhost:1'])
    expect(await callerOf({ host }), host).toEqual({ direct: true, loopback: true });
  for (const host of ['console.example.com', '10.0.0.1', 'localhost.example.com', '127.0.0.1.example.com'])
    expect(await callerOf({ host }), host).toEqual({ direct: true, loopback: false });
  for (const address of ['::1', '::ffff:127.0.0.1', '127.8.8.8'])
    expect((await callerOf({ host: 'localhost' }, address)).loopback, address).toBe(true);
  for (const address of ['10.0.0.1', '192.168.1.7', '::ffff:10.0.0.1', '2001:db8::1'])
    expect((await callerOf({ host: 'localhost' }, address)).loopback, address).toBe(false);
});

test('a caller behind a proxy is neither direct nor local, for any proxy header', async () => {
  for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via', 'x-real-ip', 'cf-connecting-ip'])
    expect(await callerOf({ host: 'localhost', [name]: '127.0.0.1' }), name).toEqual({ direct: false, loopback: false });
});

test('a remote caller does not become local by X-Forwarded-For', async () => {
  expect(await callerOf({ host: 'localhost', 'x-forwarded-for': '127.0.0.1' }, '203.0.113.9')).toEqual({ direct: false, loopback: false });
});
