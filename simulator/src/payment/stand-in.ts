import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { isLang, type Lang } from '@farlink/contract/kit/text.ts';
import type { Clock } from './clock.ts';
import { fakeAlipay } from './fake-alipay.ts';
import type { FakeProvider, ProviderRequest, ProviderResponse } from './fake-provider.ts';
import { fakeWechat } from './fake-wechat.ts';
import { makeStandInKeys, merchant, type StandInKeys } from './keys.ts';
import { type Channel, type KnownOrder, type OrderBook, orderBook, type StandInOrder } from './order-book.ts';
import { payPage } from './pay-page.ts';

export interface StandInOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** Public URL for browsers, if it differs from the listen address. */
  readonly baseUrl?: string;
  /** Keys of an earlier start, so a stored configuration stays valid. */
  readonly keys?: StandInKeys;
  /** Orders of an earlier start. */
  readonly orders?: readonly KnownOrder[];
  readonly clock?: Clock;
  /** Delays before each repetition of a callback. */
  readonly retryMs?: readonly number[];
}

export interface Delivery {
  readonly accepted: boolean;
  readonly tries: number;
}

export interface StandIn {
  readonly url: string;
  readonly credentials: ReturnType<typeof credentialsOf>;
  readonly keys: StandInKeys;
  /** Pays the order; resolves when the callback is accepted or given up. */
  pay(orderNo: string): Promise<Delivery>;
  expire(orderNo: string): void;
  /** Refunds the whole amount, as from the console of the provider. */
  refund(orderNo: string): void;
  /** Callback of an order as it would be sent now. */
  callbackOf(orderNo: string): { url: string; headers: Record<string, string>; body: string };
  stop(): Promise<void>;
}

const systemClock: Clock = { now: () => Math.floor(Date.now() / 1000) };

const maxBodyBytes = 1 << 20;

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const langOf = ({ url, headers }: ProviderRequest): Lang => {
  const requested = url.searchParams.get('lang');
  if (isLang(requested)) return requested;
  return /^en/i.test(headers['accept-language'] ?? '') ? 'en' : 'zh';
};

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'",
};

type Providers = Readonly<Record<Channel, FakeProvider>>;

/** Sends callbacks until the console accepts them or the tries are used up. */
const openDelivery = (providers: Providers, pausesMs: readonly number[], stop: AbortSignal) => {
  const callbackAccepted = async (order: StandInOrder): Promise<boolean> => {
    const provider = providers[order.channel];
    const { headers, body } = provider.callback(order);
    try {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(5_000)]);
      const response = await fetch(order.notify_url, { method: 'POST', headers, body, signal });
      return provider.isAccepted(response.status, await response.text());
    } catch {
      return false;
    }
  };
  return async (order: StandInOrder): Promise<Delivery> => {
    for (let tries = 1; ; tries += 1) {
      if (await callbackAccepted(order)) return { accepted: true, tries };
      const pauseMs = pausesMs[tries - 1];
      if (pauseMs === undefined || stop.aborted) return { accepted: false, tries };
      await wait(pauseMs, undefined, { signal: stop, ref: false }).catch(() => undefined);
    }
  };
};

/** Serves the interfaces of both providers and the page where a payer pays. */
const openSite = (orders: OrderBook, providers: Providers, deliver: (order: StandInOrder) => Promise<Delivery>) => {
  const page = (request: ProviderRequest, token: string): ProviderResponse => {
    const order = orders.find({ token });
    if (order) order.scanned = true;
    const action = request.method === 'POST' ? new URLSearchParams(request.body).get('do') : null;
    if (order && action === 'pay' && orders.pay(order)) void deliver(order);
    if (order && action === 'cancel') orders.close(order);
    return { status: order ? 200 : 404, headers: pageHeaders, body: payPage(order, langOf(request)) };
  };
  const respond = (request: ProviderRequest): ProviderResponse => {
    const { pathname } = request.url;
    if (pathname === '/gateway.do') return providers.alipay.handle(request);
    if (pathname.startsWith('/v3/')) return providers.wechat.handle(request);
    const [, token] = /^\/pay\/([\w-]+)$/.exec(pathname) ?? [];
    return token ? page(request, token) : { status: 404, headers: {}, body: '' };
  };
  return createServer(async (request, response) => {
    try {
      const { method = 'GET', headers } = request;
      const result = respond({ method, headers, url: new URL(request.url ?? '/', 'http://stand-in'), body: await bodyOf(request) });
      response.writeHead(result.status, result.headers).end(result.body);
    } catch (error) {
      response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end(String(error));
    }
  });
};

/** Configuration of the merchant. */
const credentialsOf = (keys: StandInKeys, url: string) => ({
  alipay: {
    merchant_id: merchant.alipay,
    app_id: merchant.alipay_app,
    private_key: keys.our_key,
    app_cert: keys.app_cert,
    alipay_cert: keys.alipay_cert,
    root_cert: keys.root_cert,
    gateway: `${url}/gateway.do`,
  },
  wechat: {
    merchant_id: merchant.wechat,
    app_id: merchant.wechat_app,
    api_key: keys.api_key,
    private_key: keys.our_key,
    cert: keys.merchant_cert,
    gateway: url,
  },
});

/** Fakes of both providers for tests and the demo: they verify our signatures, store orders and send signed callbacks. */
export const startStandIn = async (options: StandInOptions = {}): Promise<StandIn> => {
  const { port = 0, baseUrl, clock = systemClock, retryMs = [1_000, 5_000, 15_000, 60_000, 300_000] } = options;
  const keys = options.keys ?? (await makeStandInKeys(clock.now()));
  const orders = orderBook(clock, options.orders);
  const stopping = new AbortController();
  let publicUrl = '';
  const context = { keys, orders, clock, payUrl: (order: StandInOrder) => `${publicUrl}/pay/${order.token}` };
  const providers: Providers = { alipay: fakeAlipay(context), wechat: fakeWechat(context) };
  const deliver = openDelivery(providers, retryMs, stopping.signal);
  const server = openSite(orders, providers, deliver);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`;
  publicUrl = baseUrl ?? url;

  const orderOf = (orderNo: string): StandInOrder => {
    const order = orders.find({ order_no: orderNo });
    if (!order) throw new Error(`no order ${orderNo}`);
    return order;
  };
  const requireDone = (done: boolean, orderNo: string): void => {
    if (!done) throw new Error(`order ${orderNo} is ${orderOf(orderNo).state}`);
  };

  return {
    url,
    keys,
    credentials: credentialsOf(keys, url),
    pay: async (orderNo) => {
      requireDone(orders.pay(orderOf(orderNo)), orderNo);
      return deliver(orderOf(orderNo));
    },
    expire: (orderNo) => requireDone(orders.close(orderOf(orderNo)), orderNo),
    refund: (orderNo) => requireDone(orders.refund(orderOf(orderNo), 'console', orderOf(orderNo).cents), orderNo),
    callbackOf: (orderNo) => {
      const order = orderOf(orderNo);
      return { url: order.notify_url, ...providers[order.channel].callback(order) };
    },
    stop: async () => {
      stopping.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
