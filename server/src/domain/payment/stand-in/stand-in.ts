import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { isLang, type Lang } from '@farlink/contract/kit/text.ts';
import { type Clock, systemClock } from '../../../kit/clock.ts';
import type { AlipayConfig } from '../alipay/alipay-provider.ts';
import type { WechatConfig } from '../wechat/wechat-provider.ts';
import { fakeAlipay } from './fake-alipay.ts';
import type { FakeProvider, ProviderRequest, ProviderResponse } from './fake-provider.ts';
import { fakeWechat } from './fake-wechat.ts';
import { makeStandInKeys, merchant, type StandInKeys } from './keys.ts';
import { type Channel, type KnownOrder, orderBook, type StandInOrder } from './order-book.ts';
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
  readonly credentials: { readonly alipay: AlipayConfig; readonly wechat: WechatConfig };
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
  const wanted = url.searchParams.get('lang');
  if (isLang(wanted)) return wanted;
  return /^en/i.test(headers['accept-language'] ?? '') ? 'en' : 'zh';
};

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'",
};

/** Fakes of both providers for tests and the demo: they verify our signatures, store orders and send signed callbacks. */
export const startStandIn = async ({
  port = 0,
  baseUrl,
  keys: given,
  orders,
  clock = systemClock,
  retryMs,
}: StandInOptions = {}): Promise<StandIn> => {
  const pauses = retryMs ?? [1_000, 5_000, 15_000, 60_000, 300_000];
  const keys = given ?? (await makeStandInKeys(clock.now()));
  const book = orderBook(clock, orders);
  const stopping = new AbortController();
  let [url, publicUrl] = ['', ''];
  const world = { keys, book, clock, payUrl: (order: StandInOrder) => `${publicUrl}/pay/${order.token}` };
  const faces: Readonly<Record<Channel, FakeProvider>> = { alipay: fakeAlipay(world), wechat: fakeWechat(world) };

  const callbackAccepted = async (order: StandInOrder): Promise<boolean> => {
    const { headers, body } = faces[order.channel].callback(order);
    try {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(5_000)]);
      const response = await fetch(order.notify_url, { method: 'POST', headers, body, signal });
      return faces[order.channel].content(response.status, await response.text());
    } catch {
      return false;
    }
  };

  const deliver = async (order: StandInOrder): Promise<Delivery> => {
    for (let tries = 1; ; tries += 1) {
      if (await callbackAccepted(order)) return { accepted: true, tries };
      const pause = pauses[tries - 1];
      if (pause === undefined || stopping.signal.aborted) return { accepted: false, tries };
      await wait(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };

  const page = (request: ProviderRequest, token: string): ProviderResponse => {
    const order = book.find({ token });
    if (order) order.scanned = true;
    const action = request.method === 'POST' ? new URLSearchParams(request.body).get('do') : null;
    if (order && action === 'pay' && book.pay(order)) void deliver(order);
    if (order && action === 'cancel') book.close(order);
    return { status: order ? 200 : 404, headers: pageHeaders, body: payPage(order, langOf(request)) };
  };

  const respond = (request: ProviderRequest): ProviderResponse => {
    const { pathname } = request.url;
    if (pathname === '/gateway.do') return faces.alipay.handle(request);
    if (pathname.startsWith('/v3/')) return faces.wechat.handle(request);
    const [, token] = /^\/pay\/([\w-]+)$/.exec(pathname) ?? [];
    return token ? page(request, token) : { status: 404, headers: {}, body: '' };
  };

  const server = createServer(async (request, response) => {
    try {
      const { method = 'GET', headers } = request;
      const result = respond({ method, headers, url: new URL(request.url ?? '/', 'http://stand-in'), body: await bodyOf(request) });
      response.writeHead(result.status, result.headers).end(result.body);
    } catch (error) {
      response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end(String(error));
    }
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`;
  publicUrl = baseUrl ?? url;

  const orderOf = (orderNo: string): StandInOrder => {
    const order = book.find({ order_no: orderNo });
    if (!order) throw new Error(`no order ${orderNo}`);
    return order;
  };
  const must = (done: boolean, orderNo: string): void => {
    if (!done) throw new Error(`order ${orderNo} is ${orderOf(orderNo).state}`);
  };

  return {
    url,
    keys,
    credentials: {
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
    },
    pay: async (orderNo) => {
      must(book.pay(orderOf(orderNo)), orderNo);
      return deliver(orderOf(orderNo));
    },
    expire: (orderNo) => must(book.close(orderOf(orderNo)), orderNo),
    refund: (orderNo) => must(book.refund(orderOf(orderNo), 'console', orderOf(orderNo).cents), orderNo),
    callbackOf: (orderNo) => {
      const order = orderOf(orderNo);
      return { url: order.notify_url, ...faces[order.channel].callback(order) };
    },
    stop: async () => {
      stopping.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
