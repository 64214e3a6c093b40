import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { makeCertificate } from '@farlink/simulator/payment/certificate.ts';
import type { Channel } from '@farlink/simulator/payment/order-book.ts';
import { type StandIn, startStandIn } from '@farlink/simulator/payment/stand-in.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { alipayProvider } from './alipay/alipay-provider.ts';
import type { Callback, PaymentProvider } from './provider.ts';
import { wechatProvider } from './wechat/wechat-provider.ts';

const start = 1_760_000_000;
let now = start;
const clock = { now: () => now };
let standIn: StandIn;
let notifyUrl: string;
const servers: Server[] = [];

const listen = async (handler: Parameters<typeof createServer>[1]): Promise<string> => {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
};

const providerAt = (channel: Channel, gateway: string, more: { private_key?: string; cert?: string } = {}): PaymentProvider => {
  const { alipay, wechat } = standIn.credentials;
  return channel === 'alipay'
    ? alipayProvider({ ...alipay, gateway: `${gateway}/gateway.do`, ...more, app_cert: more.cert ?? alipay.app_cert }, { clock })
    : wechatProvider({ ...wechat, gateway, ...more }, { clock });
};

/** Proxy in front of the stand-in that changes its replies. */
const between = (change: (reply: { body: string; headers: Headers }) => { body: string; headers: Headers; status?: number }) =>
  listen(async (request, response) => {
    const body = await text(request);
    const { host: _, connection: __, ...headers } = request.headers;
    const reply = await fetch(`${standIn.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      ...(body && { body }),
    });
    const changed = change({ body: await reply.text(), headers: reply.headers });
    const passed = [...changed.headers].filter(([name]) => name.startsWith('wechatpay') || name === 'content-type');
    response.writeHead(changed.status ?? reply.status, Object.fromEntries(passed)).end(changed.body);
  });

beforeAll(async () => {
  standIn = await startStandIn({ clock, retryMs: [1, 1, 1] });
});

afterAll(async () => {
  await standIn.stop();
  for (const server of servers) server.close();
});

describe.each(['alipay', 'wechat'] as const)('%s', (channel) => {
  let provider: PaymentProvider;
  let received: Callback[];
  let failures = 0;
  let count = 0;
  const newOrder = () => {
    count += 1;
    return {
      order_no: `FL-${channel}-${count}`,
      amount: '50.29',
      subject: '50元/月 套餐 & more',
      notify_url: notifyUrl,
      expire_at: now + 900,
    };
  };
  const ordered = async () => {
    const order = newOrder();
    const { pay_url } = await provider.createOrder(order);
    return { ...order, pay_url };
  };

  beforeAll(async () => {
    provider = providerAt(channel, standIn.url);
    notifyUrl = `${await listen(async (request, response) => {
      const callback = await provider.readCallback(request.headers, Buffer.from(await text(request)));
      received.push(callback);
      const { status, type, body } = provider.replyTo(received.length > failures);
      response.writeHead(status, { 'content-type': type }).end(body);
    })}/notify`;
  });

  beforeEach(() => {
    now = start;
    received = [];
    failures = 0;
  });

  test('an order is created, paid, and the callback has the exact amount', async () => {
    const order = await ordered();
    now += 60;
    expect(await standIn.pay(order.order_no)).toEqual({ accepted: true, tries: 1 });
    const trade = await provider.query(order.order_no);
    expect(trade).toEqual({ state: 'paid', trade_no: expect.any(String), amount: '50.29', currency: 'CNY', paid_at: start + 60 });
    expect(received).toEqual([{ ...trade, order_no: order.order_no, event_id: expect.any(String) }]);
  });

  test('a callback is repeated until it is accepted, as the same event', async () => {
    failures = 2;
    const order = await ordered();
    expect(await standIn.pay(order.order_no)).toEqual({ accepted: true, tries: 3 });
    expect(received).toEqual([received[0], received[0], received[0]]);
    failures = 99;
    const other = await ordered();
    expect(await standIn.pay(other.order_no)).toEqual({ accepted: false, tries: 4 });
  });

  test('the same callback verifies each time it is read', async () => {
    const order = await ordered();
    await standIn.pay(order.order_no);
    const { headers, body } = standIn.callbackOf(order.order_no);
    const first = await provider.readCallback(headers, Buffer.from(body));
    expect(await provider.readCallback(headers, Buffer.from(body))).toEqual(first);
    expect(first).toEqual(received[0]);
  });

  test('an unpaid order waits, then expires', async () => {
    const order = await ordered();
    expect(await provider.query(order.order_no)).toMatchObject({ state: 'waiting', paid_at: null, trade_no: null });
    expect(await provider.query('FL-unknown')).toMatchObject({ state: 'waiting', trade_no: null, amount: null });
    await fetch(order.pay_url);
    expect(await provider.query(order.order_no)).toMatchObject({ state: 'waiting', paid_at: null });
    now = order.expire_at;
    expect(await provider.query(order.order_no)).toMatchObject({ state: 'expired', paid_at: null });
    await expect(standIn.pay(order.order_no)).rejects.toThrow('closed');
  });

  test('a waiting order can be closed, and a paid one cannot', async () => {
    const open = await ordered();
    const paid = await ordered();
    await fetch(open.pay_url);
    await provider.close(open.order_no);
    expect(await provider.query(open.order_no)).toMatchObject({ state: 'expired' });
    await standIn.pay(paid.order_no);
    await expect(provider.close(paid.order_no)).rejects.toMatchObject({ reason: 'provider' });
    expect(await provider.query(paid.order_no)).toMatchObject({ state: 'paid' });
  });

  test('a refund is paid in parts, once per number and never above the paid amount', async () => {
    const { order_no, amount: total } = await ordered();
    const refund = (refund_no: string, amount: string) => provider.refund({ order_no, refund_no, amount, total });
    await expect(refund('R1', '0.29')).rejects.toMatchObject({ reason: 'provider' });
    await standIn.pay(order_no);
    expect(await refund('R1', '0.29')).toEqual({ state: 'done' });
    expect(await refund('R1', '0.29')).toEqual({ state: 'done' });
    await expect(refund('R2', '50.01')).rejects.toMatchObject({ reason: 'provider' });
    expect(await refund('R2', '50.00')).toEqual({ state: 'done' });
    expect(await provider.query(order_no)).toMatchObject({ state: 'withdrawn', amount: '50.29', paid_at: start });
  });

  test('the same order number returns the same order, and is refused with another amount', async () => {
    const order = await ordered();
    expect(await provider.createOrder(order)).toEqual({ pay_url: order.pay_url });
    await expect(provider.createOrder({ ...order, amount: '0.01' })).rejects.toMatchObject({ reason: 'provider' });
    await expect(provider.createOrder({ ...order, order_no: 'a/b' })).rejects.toThrow(RangeError);
    await expect(provider.createOrder({ ...order, amount: '1.5' })).rejects.toThrow(RangeError);
  });

  test('a user pays or cancels on the page of the payment URL, in either language', async () => {
    const paid = await ordered();
    const cancelled = await ordered();
    expect(await (await fetch(`${paid.pay_url}?lang=zh`)).text()).toContain('确认付款');
    const page = await (await fetch(paid.pay_url, { headers: { 'accept-language': 'en-GB' } })).text();
    expect(page).toContain('>Pay<');
    expect(page).toContain('¥50.29');
    expect(page).not.toContain('套餐 & more');
    const press = (url: string, what: string) => fetch(url, { method: 'POST', body: new URLSearchParams({ do: what }) });
    expect(await (await press(paid.pay_url, 'pay')).text()).toContain('支付成功');
    expect(await provider.query(paid.order_no)).toMatchObject({ state: 'paid' });
    expect(await (await press(cancelled.pay_url, 'cancel')).text()).toContain('订单已关闭');
    expect(await (await press(cancelled.pay_url, 'pay')).text()).toContain('订单已关闭');
    expect(await provider.query(cancelled.order_no)).toMatchObject({ state: 'expired' });
    expect((await fetch(`${standIn.url}/pay/nothing`)).status).toBe(404);
  });

  test('a request with another key, another certificate or an old time is refused by the provider', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const name = 'C=CN, CN=Stranger';
    const cert = makeCertificate({
      issuer: name,
      subject: name,
      serial: 5n,
      publicKey: other.publicKey,
      signer: other.privateKey,
      from: start,
      until: start + 9,
    });
    const stranger = { private_key: other.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
    await expect(providerAt(channel, standIn.url, stranger).createOrder(newOrder())).rejects.toMatchObject({ reason: 'provider' });
    expect(() => providerAt(channel, standIn.url, { private_key: stranger.private_key })).toThrow(
      expect.objectContaining({ reason: 'config' }),
    );
    const lateClock = { now: () => now - 3600 };
    const { alipay, wechat } = standIn.credentials;
    const slow = channel === 'alipay' ? alipayProvider(alipay, { clock: lateClock }) : wechatProvider(wechat, { clock: lateClock });
    await expect(slow.createOrder(newOrder())).rejects.toMatchObject({ reason: 'provider' });
  });

  test('a reply that was modified in transit is refused', async () => {
    const order = await ordered();
    const [token = ''] = /[^/]+$/.exec(order.pay_url) ?? [];
    const gateway = await between(({ body, headers }) => ({ body: body.replace(token, 'elsewhere'), headers }));
    await expect(providerAt(channel, gateway).createOrder(order)).rejects.toMatchObject({ reason: 'signature' });
  });

  test('an authentic reply about another order is refused', async () => {
    const paid = await ordered();
    const open = await ordered();
    await standIn.pay(paid.order_no);
    let first: { body: string; headers: Headers } | undefined;
    const gateway = await between((reply) => {
      if (reply.body.includes(paid.order_no)) first = reply;
      return reply.body.includes(open.order_no) && first ? first : reply;
    });
    const spoofed = providerAt(channel, gateway);
    await fetch(open.pay_url);
    expect(await spoofed.query(paid.order_no)).toMatchObject({ state: 'paid' });
    await expect(spoofed.query(open.order_no)).rejects.toMatchObject({ reason: 'provider', code: 'out_trade_no' });
  });

  test('a missing or failed reply is a network error', async () => {
    const failing = await between(({ body, headers }) => ({ body, headers, status: 502 }));
    await expect(providerAt(channel, failing).createOrder(newOrder())).rejects.toMatchObject({ reason: 'network', code: 'HTTP 502' });
    const stopped = await startStandIn({ keys: standIn.keys });
    await stopped.stop();
    await expect(providerAt(channel, stopped.url).createOrder(newOrder())).rejects.toMatchObject({ reason: 'network' });
  });
});
