import { createCipheriv, randomBytes, sign, verify, X509Certificate } from 'node:crypto';
import { rfc3339 } from './clock.ts';
import type { FakeContext, FakeProvider, ProviderRequest, ProviderResponse } from './fake-provider.ts';
import { type Json, needText, objectOf, readObject } from './json.ts';
import { merchant, ourPublicKey, theirKey } from './keys.ts';
import type { StandInOrder } from './order-book.ts';

const maxSkewS = 300;

const statusOf = { waiting: 'NOTPAY', paid: 'SUCCESS', closed: 'CLOSED', refunded: 'REFUND' } as const;

interface Plain {
  readonly status: number;
  readonly content?: Json;
}

const problem = (status: number, code: string, message: string): Plain => ({ status, content: { code, message } });

const transactionOf = ({ order_no, trade_no, state, cents, paid_at }: StandInOrder): Json => ({
  appid: merchant.wechat_app,
  mchid: merchant.wechat,
  out_trade_no: order_no,
  trade_type: 'NATIVE',
  trade_state: statusOf[state],
  amount: { total: cents, payer_total: cents, currency: 'CNY', payer_currency: 'CNY' },
  ...(paid_at !== null && { transaction_id: trade_no, success_time: rfc3339(paid_at) }),
});

const certificateSerial = (pem: string) => new X509Certificate(pem).serialNumber;

/** Encrypts with the APIv3 key, as WeChat Pay does. */
const encrypt = (apiKey: string, plain: string, aad: string): Json => {
  const nonce = randomBytes(6).toString('hex');
  const cipher = createCipheriv('aes-256-gcm', apiKey, nonce);
  cipher.setAAD(Buffer.from(aad));
  const bytes = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { algorithm: 'AEAD_AES_256_GCM', nonce, associated_data: aad, ciphertext: bytes.toString('base64') };
};

const certificates = ({ keys, clock }: FakeContext): Plain => ({
  status: 200,
  content: {
    data: [
      {
        serial_no: certificateSerial(keys.platform_cert),
        effective_time: rfc3339(clock.now()),
        expire_time: rfc3339(clock.now() + 86_400),
        encrypt_certificate: encrypt(keys.api_key, keys.platform_cert, 'certificate'),
      },
    ],
  },
});

const openOrder = ({ orders, payUrl }: FakeContext, content: Json): Plain => {
  if (content.mchid !== merchant.wechat || content.appid !== merchant.wechat_app) {
    return problem(400, 'APPID_MCHID_NOT_MATCH', 'appid和mchid不匹配');
  }
  const { total, currency } = objectOf(content, 'amount');
  if (
    typeof total !== 'number' ||
    !Number.isInteger(total) ||
    total < 1 ||
    currency !== 'CNY' ||
    Buffer.byteLength(needText(content, 'description')) > 127
  ) {
    return problem(400, 'PARAM_ERROR', '参数错误');
  }
  const order = orders.open({
    channel: 'wechat',
    order_no: needText(content, 'out_trade_no'),
    cents: total,
    subject: needText(content, 'description'),
    notify_url: needText(content, 'notify_url'),
    expire_at: Date.parse(needText(content, 'time_expire')) / 1000,
  });
  return order ? { status: 200, content: { code_url: payUrl(order) } } : problem(400, 'OUT_TRADE_NO_USED', '商户订单号重复');
};

const refund = ({ orders }: FakeContext, content: Json): Plain => {
  const order = orders.find({ channel: 'wechat', order_no: needText(content, 'out_trade_no') });
  const { refund: cents, total } = objectOf(content, 'amount');
  const done =
    order && total === order.cents && typeof cents === 'number' && orders.refund(order, needText(content, 'out_refund_no'), cents);
  return done
    ? { status: 200, content: { status: 'SUCCESS', out_trade_no: order.order_no } }
    : problem(400, 'INVALID_REQUEST', '请求不允许');
};

/** Signs replies and callbacks, and verifies the signatures of the merchant. */
const signatures = ({ keys, clock }: FakeContext) => {
  const key = theirKey(keys);
  const merchantKey = ourPublicKey(keys);
  const merchantSerial = certificateSerial(keys.merchant_cert);
  const platformSerial = certificateSerial(keys.platform_cert);
  const usedNonces = new Set<string>();

  const signedHeaders = (body: string): Record<string, string> => {
    const timestamp = String(clock.now());
    const nonce = randomBytes(16).toString('hex');
    const text = `${timestamp}\n${nonce}\n${body}\n`;
    return {
      'content-type': 'application/json; charset=utf-8',
      'wechatpay-serial': platformSerial,
      'wechatpay-timestamp': timestamp,
      'wechatpay-nonce': nonce,
      'wechatpay-signature': sign('sha256', Buffer.from(text), key).toString('base64'),
    };
  };

  const isAuthentic = ({ method, url, headers, body }: ProviderRequest): boolean => {
    const [scheme, rest = ''] = (headers.authorization ?? '').split(' ');
    const fields = new Map([...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));
    const timestamp = fields.get('timestamp') ?? '';
    const nonce = fields.get('nonce_str') ?? '';
    const text = `${method}\n${url.pathname}${url.search}\n${timestamp}\n${nonce}\n${body}\n`;
    const isOurs =
      scheme === 'WECHATPAY2-SHA256-RSA2048' && fields.get('mchid') === merchant.wechat && fields.get('serial_no') === merchantSerial;
    const isNew = Math.abs(clock.now() - Number(timestamp)) <= maxSkewS && nonce !== '' && !usedNonces.has(nonce);
    usedNonces.add(nonce);
    return isOurs && isNew && verify('sha256', Buffer.from(text), merchantKey, Buffer.from(fields.get('signature') ?? '', 'base64'));
  };

  return { signedHeaders, isAuthentic };
};

export const fakeWechat = (context: FakeContext): FakeProvider => {
  const { keys, orders, clock } = context;
  const { signedHeaders, isAuthentic } = signatures(context);

  const respond = (request: ProviderRequest): Plain => {
    if (!isAuthentic(request)) return problem(401, 'SIGN_ERROR', '签名错误');
    const { method, url, body } = request;
    const route = `${method} ${url.pathname}`;
    if (route === 'GET /v3/certificates') return certificates(context);
    if (route === 'POST /v3/pay/transactions/native') return openOrder(context, readObject(body));
    if (route === 'POST /v3/refund/domestic/refunds') return refund(context, readObject(body));
    const [, orderNo, close] = /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)(\/close)?$/.exec(url.pathname) ?? [];
    const order = orderNo && orders.find({ channel: 'wechat', order_no: decodeURIComponent(orderNo) });
    if (!order) return problem(404, 'ORDER_NOT_EXIST', '订单不存在');
    if (!close) return { status: 200, content: transactionOf(order) };
    return orders.close(order) || order.state === 'closed' ? { status: 204 } : problem(400, 'ORDER_PAID', '订单已支付');
  };

  return {
    handle: (request): ProviderResponse => {
      const { status, content } = respond(request);
      const body = content ? JSON.stringify(content) : '';
      return { status, headers: signedHeaders(body), body };
    },

    callback: (order) => {
      const body = JSON.stringify({
        id: order.event_id,
        create_time: rfc3339(clock.now()),
        resource_type: 'encrypt-resource',
        event_type: 'TRANSACTION.SUCCESS',
        summary: '支付成功',
        resource: { original_type: 'transaction', ...encrypt(keys.api_key, JSON.stringify(transactionOf(order)), 'transaction') },
      });
      return { headers: signedHeaders(body), body };
    },

    isAccepted: (status) => status === 200 || status === 204,
  };
};
