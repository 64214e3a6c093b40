import type { IncomingHttpHeaders } from 'node:http';
import { systemClock } from '../../../kit/clock.ts';
import { rfc3339 } from '../china-time.ts';
import { type Json, needText, objectOf, readObject, textOf } from '../json.ts';
import { fromCents, toCents } from '../money.ts';
import { checkOrderNo } from '../order-no.ts';
import { foreignMerchant, PaymentError, refused, unreadable } from '../payment-error.ts';
import type { PaymentProvider, PaymentState, ProviderOptions, Trade } from '../provider.ts';
import { decryptResource } from './resource.ts';
import { type WechatConfig, wechatClient } from './wechat-client.ts';

/** REFUND means that money was returned, possibly a part of it. */
const states = new Map<string, PaymentState>([
  ['SUCCESS', 'paid'],
  ['REFUND', 'withdrawn'],
  ['NOTPAY', 'waiting'],
  ['USERPAYING', 'waiting'],
  ['PAYERROR', 'waiting'],
  ['CLOSED', 'expired'],
  ['REVOKED', 'expired'],
]);

const maxDescriptionBytes = 127;

/** Shortens the text to the byte limit without splitting a character. */
const description = (subject: string): string => {
  let text = subject;
  while (Buffer.byteLength(text) > maxDescriptionBytes) text = [...text].slice(0, -1).join('');
  return text;
};

const tradeOf = (transaction: Json): Trade => {
  const state = states.get(needText(transaction, 'trade_state'));
  const amount = objectOf(transaction, 'amount');
  const { total } = amount;
  const paid = textOf(transaction, 'success_time');
  const paidAt = paid === undefined ? null : Math.floor(Date.parse(paid) / 1000);
  if (!state || Number.isNaN(paidAt)) throw unreadable('transaction');
  return {
    state,
    trade_no: textOf(transaction, 'transaction_id') ?? null,
    amount: typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? fromCents(total) : null,
    currency: textOf(amount, 'currency') ?? null,
    paid_at: paidAt,
  };
};

const headerOf = (headers: IncomingHttpHeaders, name: string) => {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
};

const transactions = '/v3/pay/transactions';

export const wechatProvider = (config: WechatConfig, { clock = systemClock }: ProviderOptions = {}): PaymentProvider => {
  const { call, verify } = wechatClient(config, clock);

  return {
    createOrder: async ({ order_no, amount, subject, notify_url, expire_at }) => {
      const response = await call('POST', `${transactions}/native`, {
        appid: config.app_id,
        mchid: config.merchant_id,
        description: description(subject),
        out_trade_no: checkOrderNo(order_no),
        time_expire: rfc3339(expire_at),
        notify_url,
        amount: { total: toCents(amount), currency: 'CNY' },
      });
      return { pay_url: needText(response, 'code_url') };
    },

    query: async (orderNo) => {
      try {
        const path = `${transactions}/out-trade-no/${encodeURIComponent(orderNo)}?mchid=${encodeURIComponent(config.merchant_id)}`;
        const response = await call('GET', path);
        if (response.out_trade_no !== orderNo) throw unreadable('out_trade_no');
        return tradeOf(response);
      } catch (error) {
        if (!(error instanceof PaymentError && error.code === 'ORDER_NOT_EXIST')) throw error;
        return { state: 'waiting', trade_no: null, amount: null, currency: null, paid_at: null };
      }
    },

    close: async (orderNo) => {
      await call('POST', `${transactions}/out-trade-no/${encodeURIComponent(orderNo)}/close`, { mchid: config.merchant_id });
    },

    refund: async ({ order_no, refund_no, amount, total }) => {
      const response = await call('POST', '/v3/refund/domestic/refunds', {
        out_trade_no: order_no,
        out_refund_no: refund_no,
        amount: { refund: toCents(amount), total: toCents(total), currency: 'CNY' },
      });
      const status = needText(response, 'status');
      if (status !== 'SUCCESS' && status !== 'PROCESSING') throw refused(status, status);
      return { state: status === 'SUCCESS' ? 'done' : 'processing' };
    },

    readCallback: async (headers, rawBody) => {
      const body = rawBody.toString('utf8');
      await verify((name) => headerOf(headers, name), body);
      const event = readObject(body);
      const transaction = readObject(decryptResource(objectOf(event, 'resource'), config.api_key));
      if (transaction.mchid !== config.merchant_id || transaction.appid !== config.app_id) throw foreignMerchant();
      const { state, amount, currency, paid_at } = tradeOf(transaction);
      if (amount === null || currency === null) throw unreadable('amount');
      return {
        order_no: needText(transaction, 'out_trade_no'),
        trade_no: needText(transaction, 'transaction_id'),
        amount,
        currency,
        state,
        paid_at,
        event_id: needText(event, 'id'),
      };
    },

    replyTo: (accepted) =>
      accepted
        ? { status: 200, type: 'application/json', body: '{"code":"SUCCESS","message":"OK"}' }
        : { status: 500, type: 'application/json', body: '{"code":"FAIL","message":"FAIL"}' },
  };
};
