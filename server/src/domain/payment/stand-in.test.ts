import { createServer } from 'node:http';
import { type StandIn, startStandIn } from '@farlink/simulator/payment/stand-in.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { alipayProvider } from './alipay/alipay-provider.ts';
import { wechatProvider } from './wechat/wechat-provider.ts';

let standIn: StandIn;
const baseUrl = 'https://demo.example/payment';
const expire_at = Math.floor(Date.now() / 1000) + 900;
const order = (order_no: string, notify_url = 'http://127.0.0.1/') => ({
  order_no,
  amount: '1.00',
  subject: '<套餐>',
  notify_url,
  expire_at,
});

beforeAll(async () => {
  standIn = await startStandIn({ baseUrl, retryMs: [600_000] });
});

afterAll(() => standIn.stop());

test('the payment URL uses the public base URL of the stand-in', async () => {
  const { pay_url } = await alipayProvider(standIn.credentials.alipay).createOrder(order('FL-base-1'));
  expect(pay_url).toMatch(/^https:\/\/demo\.example\/payment\/pay\/[\w-]{22}$/);
  const page = await (await fetch(pay_url.replace(baseUrl, standIn.url))).text();
  expect(page).toContain('&#60;套餐&#62;');
});

test('a request sent a second time is refused', async () => {
  const calls = vi.spyOn(globalThis, 'fetch');
  await wechatProvider(standIn.credentials.wechat).createOrder(order('FL-again-1'));
  const [first] = calls.mock.calls;
  calls.mockRestore();
  if (!first) throw new Error('nothing was sent');
  expect((await fetch(...first)).status).toBe(401);
});

test('a restarted stand-in with the same keys accepts the stored configuration', async () => {
  const again = await startStandIn({ keys: standIn.keys });
  const { alipay, wechat } = standIn.credentials;
  await alipayProvider({ ...alipay, gateway: `${again.url}/gateway.do` }).createOrder(order('FL-start-1'));
  await wechatProvider({ ...wechat, gateway: again.url }).createOrder(order('FL-start-1'));
  await again.stop();
});

test('an order can be expired and refunded from outside, but not against its state', async () => {
  const provider = wechatProvider(standIn.credentials.wechat);
  for (const no of ['FL-state-1', 'FL-state-2']) await provider.createOrder(order(no));
  standIn.expire('FL-state-1');
  expect(await provider.query('FL-state-1')).toMatchObject({ state: 'expired' });
  expect(() => standIn.refund('FL-state-1')).toThrow('closed');
  expect(() => standIn.refund('FL-state-2')).toThrow('waiting');
  // The callback has no receiver; its repetitions end with the stand-in.
  void standIn.pay('FL-state-2');
  expect(await provider.query('FL-state-2')).toMatchObject({ state: 'paid' });
  expect(() => standIn.expire('FL-state-2')).toThrow('paid');
  standIn.refund('FL-state-2');
  expect(await provider.query('FL-state-2')).toMatchObject({ state: 'withdrawn' });
  expect(() => standIn.expire('FL-none')).toThrow('no order FL-none');
});

test('stopping ends the repetitions of a callback', async () => {
  const request = Promise.withResolvers<void>();
  const silentServer = createServer((_, response) => {
    response.writeHead(500).end();
    request.resolve();
  });
  await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve));
  const address = silentServer.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const mine = await startStandIn({ keys: standIn.keys, retryMs: [600_000] });
  await wechatProvider({ ...standIn.credentials.wechat, gateway: mine.url }).createOrder(order('FL-stop-1', `http://127.0.0.1:${port}`));
  const delivery = mine.pay('FL-stop-1');
  await request.promise;
  await mine.stop();
  expect((await delivery).accepted).toBe(false);
  silentServer.close();
});

test('a request that is not valid for a provider is refused', async () => {
  expect((await fetch(`${standIn.url}/`)).status).toBe(404);
  expect((await fetch(`${standIn.url}/v3/certificates`)).status).toBe(401);
  expect(await (await fetch(`${standIn.url}/gateway.do`, { method: 'POST' })).text()).toContain('isv.invalid-app-id');
  expect((await fetch(`${standIn.url}/gateway.do`, { method: 'POST', body: 'x'.repeat(2 << 20) })).status).toBe(400);
});
