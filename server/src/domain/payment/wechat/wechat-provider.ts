import { createPublicKey, type KeyObject } from 'node:crypto';
import { systemClock } from '../../../kit/clock.ts';
import { rfc3339 } from '../china-time.ts';
import { type Json, needText, objectOf, readObject, textOf } from '../json.ts';
import { fromCents, toCents } from '../money.ts';
import { checkOrderNo } from '../order-no.ts';
import { badConfig, foreignMerchant, PaymentError, refused, unreadable } from '../payment-error.ts';
import type { PaymentProvider, PaymentState, ProviderOptions, Trade } from '../provider.ts';
import { checkPair, readCertificate, readPrivateKey } from '../rsa.ts';
import { type Reply, send } from '../send.ts';
import { platformKeys } from './platform-keys.ts';
import { decryptResource } from './resource.ts';
import { authorization, type KeyOf, type Merchant, verifyMessage } from './sign.ts';

export interface WechatConfig {
  readonly merchant_id: string;
  /** The APIv3 key: 32 characters. */
  readonly api_key: string;
  readonly app_id: string;
  /** API key and certificate of the merchant as text; without them only callbacks can be read. */
  readonly private_key?: string;
  readonly cert?: string;
  /** Public key of WeChat Pay with its `PUB_KEY_ID_…`; merchants since the end of 2024 have it in place of certificates. */
  readonly public_key?: string;
  readonly public_key_id?: string;
  readonly gateway?: string;
}

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

const merchantOf = ({ merchant_id, private_key, cert }: WechatConfig): Merchant | undefined => {
  if (!private_key || !cert) return undefined;
  const key = readPrivateKey(private_key, ['商户API私钥', 'The merchant API key']);
  const certificate = readCertificate(cert, ['商户API证书', 'The merchant API certificate']);
  checkPair(key, certificate);
  return { id: merchant_id, serial: certificate.serialNumber, key };
};

const publicKeyOf = ({ public_key, public_key_id }: WechatConfig): { id: string; key: KeyObject } | undefined => {
  if (!public_key || !public_key_id) return undefined;
  try {
    return { id: public_key_id, key: createPublicKey(public_key) };
  } catch {
    throw badConfig(['微信支付公钥无效', 'The WeChat Pay public key is not valid']);
  }
};

export const wechatProvider = (config: WechatConfig, { clock = systemClock }: ProviderOptions = {}): PaymentProvider => {
  if (Buffer.byteLength(config.api_key) !== 32) throw badConfig(['APIv3密钥应为32个字符', 'The APIv3 key must have 32 characters']);
  const merchant = merchantOf(config);
  const publicKey = publicKeyOf(config);

  const ask = (method: string, path: string, content?: Json): Promise<Reply> => {
    if (!merchant) throw badConfig(['请先上传商户API私钥和证书', 'Upload the merchant API private key and certificate first']);
    const url = new URL(`${config.gateway ?? 'https://api.mch.weixin.qq.com'}${path}`);
    const body = content ? JSON.stringify(content) : '';
    const headers: Record<string, string> = {
      accept: 'application/json',
      'user-agent': 'farlink',
      authorization: authorization(merchant, { method, path: url.pathname + url.search, body }, clock.now()),
    };
    if (content) headers['content-type'] = 'application/json';
    if (publicKey) headers['wechatpay-serial'] = publicKey.id;
    return send(url, { method, headers, ...(content && { body }) });
  };

  /** WeChat Pay does not sign every refusal, so an unverified error reply is accepted only as a refusal. */
  const accepted = (reply: Reply): Reply => {
    if (reply.status >= 200 && reply.status < 300) return reply;
    const error: Json = reply.body.startsWith('{') ? readObject(reply.body) : {};
    throw refused(textOf(error, 'code') ?? String(reply.status), textOf(error, 'message') ?? '');
  };

  const certificateKeys = platformKeys(async () => accepted(await ask('GET', '/v3/certificates')), config.api_key, clock);
  const keyOf: KeyOf = (serial) => (publicKey?.id === serial ? publicKey.key : certificateKeys(serial));

  const call = async (method: string, path: string, content?: Json): Promise<Json> => {
    const reply = accepted(await ask(method, path, content));
    await verifyMessage(reply.header, reply.body, keyOf, clock.now());
    return reply.status === 204 ? {} : readObject(reply.body);
  };

  const transactions = '/v3/pay/transactions';

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
      const header = (name: string) => {
        const value = headers[name];
        return typeof value === 'string' ? value : undefined;
      };
      const body = rawBody.toString('utf8');
      await verifyMessage(header, body, keyOf, clock.now());
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

    answer: (ok) =>
      ok
        ? { status: 200, type: 'application/json', body: '{"code":"SUCCESS","message":"OK"}' }
        : { status: 500, type: 'application/json', body: '{"code":"FAIL","message":"FAIL"}' },
  };
};
