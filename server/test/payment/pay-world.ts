import { payConfigCalls } from '@farlink/contract/advanced/pay-config.ts';
import { errors } from '@farlink/contract/errors.ts';
import { payOrderCalls } from '@farlink/contract/finance/pay-order.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { Channel } from '@farlink/simulator/payment/order-book.ts';
import { type StandIn, startStandIn } from '@farlink/simulator/payment/stand-in.ts';
import { startJobs } from '../../src/kit/jobs/job-runner.ts';
import { payJobs } from '../../src/modules/payment/watch.ts';
import { type Api, type Caller, type Reply, readReply, startApi } from '../api.ts';
import { makeBillingFixture } from '../billing-fixture.ts';
import { everySecond } from '../every-second.ts';
import { makeBranches } from '../world.ts';

export const channels = ['wechat', 'alipay'] as const;

/** A file as a browser sends it. */
export const fileOf = (text: string, name: string) => new File([text], name);

const rowOf = async (by: Caller, channel: Channel) => {
  const { data } = await by.call(payConfigCalls.list, { channel });
  const row = data.list[0];
  if (!row) throw new Error(`no row for ${channel}`);
  return row;
};

/** Sends the form of a channel, with its files. */
export const sendChannel = async (api: Api, by: Caller, id: number, values: Values): Promise<Reply> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) {
    if (value instanceof File) form.append(name, value);
    else if (value !== undefined) form.append(name, String(value));
  }
  const response = await fetch(`${api.base}/agt/v1/payment/${id}`, {
    method: 'PUT',
    headers: { authorization: by.session?.token ?? '' },
    body: form,
  });
  return readReply(response);
};

/** Form values of a channel for the stand-in. */
export const formOf = ({ credentials: { alipay, wechat } }: StandIn, channel: Channel): Values =>
  channel === 'alipay'
    ? {
        merchant_id: alipay.merchant_id,
        app_id: alipay.app_id,
        private_key: fileOf(alipay.private_key, 'app.key'),
        app_cert: fileOf(alipay.app_cert, 'app.crt'),
        alipay_cert: fileOf(alipay.alipay_cert, 'alipay.crt'),
        root_cert: fileOf(alipay.root_cert, 'root.crt'),
        status: 1,
      }
    : {
        merchant_id: wechat.merchant_id,
        app_id: wechat.app_id,
        api_key: wechat.api_key,
        app_secret: 'standinsecret',
        private_key: fileOf(wechat.private_key ?? '', 'apiclient_key'),
        cert: fileOf(wechat.cert ?? '', 'apiclient.crt'),
        status: 1,
      };

/** Sets the stand-in address of a channel. No API call can do that; only the demo does. */
export const redirect = async (api: Api, id: number, gateway: string) => {
  await api.db
    .updateTable('payment_channel')
    .set((eb) => ({ gateway, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
};

const gatewayOf = ({ credentials }: StandIn, channel: Channel) => credentials[channel].gateway ?? '';

export const configure = async (api: Api, standIn: StandIn, by: Caller) => {
  const ids: Record<Channel, number> = { wechat: 0, alipay: 0 };
  for (const channel of channels) {
    const { id, version } = await rowOf(by, channel);
    const reply = await sendChannel(api, by, id, { ...formOf(standIn, channel), version });
    if (reply.code !== 0 && reply.code !== errors.unchanged.code) throw new Error(JSON.stringify(reply));
    await redirect(api, id, gatewayOf(standIn, channel));
    ids[channel] = id;
  }
  return ids;
};

/** A platform with channels for all VNOs, two VNOs that sell, and the stand-in for both providers. */
export const startPayWorld = async () => {
  const api = await startApi();
  const standIn = await startStandIn({ clock: api.clock, retryMs: [1, 1] });
  const people = await makeBranches(api);
  const channelIds = await configure(api, standIn, people.admin);
  const billing = await makeBillingFixture(api, people.eastId, 'east');
  const orderBy = (by: Caller, input: Values) => by.call(payOrderCalls.create, { channel: 'wechat', expense_type: 'recharge', ...input });
  /** An order of 50.29 yuan for a new account. */
  const newOrder = async (channel: Channel = 'wechat', input: Values = {}) => {
    const account = await billing.makeAccount();
    const order = must(await orderBy(people.east, { channel, kind: 'amount', amount: '50.29', user_id: account.id, ...input }));
    return { ...order, account };
  };
  const orderOf = (id: number) => api.db.selectFrom('pay_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const withdraw = (id: number, by: Caller = people.east) => by.call(payOrderCalls.withdraw, { id });
  const balance = async (subscriberId: number) => (await billing.account(subscriberId)).balance;
  /** Advances the clock and keeps all sessions valid. */
  const advance = async (seconds: number) => {
    api.clock.advance(seconds);
    await api.db.updateTable('session').set({ seen_at: api.clock.now() }).execute();
  };
  const run = (kind: 'pay_sweep' | 'pay_check') => startJobs(api.deps, everySecond(payJobs, kind), { pollMs: 0 }).tick();
  const close = async () => {
    await standIn.stop();
    await api.close();
  };
  return { api, standIn, ...people, channelIds, billing, orderBy, newOrder, orderOf, withdraw, balance, advance, run, close };
};

export type PayWorld = Awaited<ReturnType<typeof startPayWorld>>;

export const must = <T>(reply: Reply<T>): T => {
  if (reply.code !== 0) throw new Error(`${reply.code} ${reply.msg} ${JSON.stringify(reply.data)}`);
  return reply.data;
};

export interface PaymentNotification {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Whether the reply to a notice means success to the provider. */
export const isAccepted = async ({ url, headers, body }: PaymentNotification): Promise<boolean> => {
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  return response.status === 200 && (text === 'success' || text.includes('SUCCESS'));
};

/** Runs `work` while payment callbacks are lost. */
export const withLostCallbacks = async <T>(work: () => Promise<T>): Promise<T> => {
  const real = globalThis.fetch;
  globalThis.fetch = (url, init) => (String(url).includes('/pay/notify/') ? Promise.reject(new Error('lost')) : real(url, init));
  try {
    return await work();
  } finally {
    globalThis.fetch = real;
  }
};
