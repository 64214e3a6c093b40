import { createHash, sign, verify, X509Certificate } from 'node:crypto';
import { cents as centsOf, yuan } from '@farlink/contract/kit/money.ts';
import { chinaTime, fromChinaTime } from './clock.ts';
import type { FakeContext, FakeProvider } from './fake-provider.ts';
import { type Json, needText, readObject } from './json.ts';
import { merchant, ourPublicKey, theirKey } from './keys.ts';
import type { StandInOrder } from './order-book.ts';

const maxSkewS = 900;

const amountText = (cents: number) => yuan(BigInt(cents));

/** Identifies a certificate: MD5 of the issuer, the most specific part first, and the decimal serial number. */
const serialOf = (pem: string): string => {
  const { issuer, serialNumber } = new X509Certificate(pem);
  const names = issuer.split('\n').reverse().join(',');
  return createHash('md5')
    .update(names + BigInt(`0x${serialNumber}`))
    .digest('hex');
};

/** Written independently of the client code, so a mistake in one does not hide in the other. */
const joined = (params: Map<string, string>): string =>
  [...params.keys()]
    .filter((name) => name !== 'sign' && params.get(name))
    .sort()
    .map((name) => `${name}=${params.get(name)}`)
    .join('&');

const problem = (subCode: string, message: string): Json => ({
  code: '40004',
  msg: 'Business Failed',
  sub_code: subCode,
  sub_msg: message,
});
const success = { code: '10000', msg: 'Success' };
const unknownTrade = problem('ACQ.TRADE_NOT_EXIST', '交易不存在');

const statusOf = { waiting: 'WAIT_BUYER_PAY', paid: 'TRADE_SUCCESS', closed: 'TRADE_CLOSED', refunded: 'TRADE_CLOSED' } as const;

type Methods = Readonly<Record<string, (content: Json, notifyUrl: string) => Json>>;

const methodsOf = ({ orders, payUrl }: FakeContext): Methods => {
  const scanned = (content: Json): StandInOrder | undefined => {
    const order = orders.find({ channel: 'alipay', order_no: needText(content, 'out_trade_no') });
    return order?.scanned ? order : undefined;
  };

  return {
    'alipay.trade.precreate': (content, notify_url) => {
      const order = orders.open({
        channel: 'alipay',
        order_no: needText(content, 'out_trade_no'),
        cents: Number(centsOf(needText(content, 'total_amount'))),
        subject: needText(content, 'subject'),
        notify_url,
        expire_at: fromChinaTime(needText(content, 'time_expire')),
      });
      if (!order) return problem('ACQ.CONTEXT_INCONSISTENT', '交易信息被篡改');
      return { ...success, out_trade_no: order.order_no, qr_code: payUrl(order) };
    },
    'alipay.trade.query': (content) => {
      const order = scanned(content);
      if (!order) return unknownTrade;
      const { order_no, trade_no, state, cents, paid_at } = order;
      const paid = paid_at === null ? {} : { send_pay_date: chinaTime(paid_at) };
      return { ...success, out_trade_no: order_no, trade_no, trade_status: statusOf[state], total_amount: amountText(cents), ...paid };
    },
    'alipay.trade.close': (content) => {
      const order = scanned(content);
      if (!order) return unknownTrade;
      return orders.close(order) ? { ...success, out_trade_no: order.order_no } : problem('ACQ.TRADE_STATUS_ERROR', '交易状态不合法');
    },
    'alipay.trade.refund': (content) => {
      const order = scanned(content);
      if (!order) return unknownTrade;
      const refundNo = needText(content, 'out_request_no');
      const isRepeated = order.refunds.has(refundNo);
      if (!orders.refund(order, refundNo, Number(centsOf(needText(content, 'refund_amount'))))) {
        return problem('ACQ.TRADE_STATUS_ERROR', '交易状态不合法');
      }
      return { ...success, out_trade_no: order.order_no, trade_no: order.trade_no, fund_change: isRepeated ? 'N' : 'Y' };
    },
    'alipay.trade.fastpay.refund.query': (content) => {
      const done = scanned(content)?.refunds.has(needText(content, 'out_request_no'));
      return { ...success, ...(done && { refund_status: 'REFUND_SUCCESS' }) };
    },
  };
};

/** Signs replies, and verifies the signatures of the merchant. */
const signatures = ({ keys, clock }: FakeContext) => {
  const key = theirKey(keys);
  const merchantKey = ourPublicKey(keys);
  const sns = {
    alipay: serialOf(keys.alipay_cert),
    app: serialOf(keys.app_cert),
    // The first certificate of the bundle is the RSA root; RSA2 ignores the other one.
    root: serialOf(keys.root_cert),
  };
  const signText = (text: string) => sign('sha256', Buffer.from(text), key).toString('base64');

  /** Code of the refusal; undefined if the request is valid. */
  const faultOf = (params: Map<string, string>): string | undefined => {
    if (params.get('app_id') !== merchant.alipay_app) return 'isv.invalid-app-id';
    if (params.get('app_cert_sn') !== sns.app || params.get('alipay_root_cert_sn') !== sns.root) return 'isv.invalid-cert-sn';
    const signature = Buffer.from(params.get('sign') ?? '', 'base64');
    if (params.get('sign_type') !== 'RSA2' || !verify('sha256', Buffer.from(joined(params)), merchantKey, signature)) {
      return 'isv.invalid-signature';
    }
    const skew = Math.abs(clock.now() - fromChinaTime(params.get('timestamp') ?? ''));
    return skew <= maxSkewS ? undefined : 'isv.invalid-timestamp';
  };

  return { certificateSn: sns.alipay, signText, faultOf };
};

export const fakeAlipay = (context: FakeContext): FakeProvider => {
  const { clock } = context;
  const methods = methodsOf(context);
  const { certificateSn, signText, faultOf } = signatures(context);

  return {
    handle: ({ url, body }) => {
      const params = new Map([...url.searchParams, ...new URLSearchParams(body)]);
      const method = params.get('method') ?? '';
      const fault = faultOf(params);
      const respond = methods[method];
      const content = fault
        ? { code: '40002', msg: 'Invalid Arguments', sub_code: fault, sub_msg: fault }
        : (respond?.(readObject(params.get('biz_content') ?? ''), params.get('notify_url') ?? '') ??
          problem('isv.invalid-method', '不存在的方法名'));
      const raw = JSON.stringify(content).replaceAll('/', '\\/');
      return {
        status: 200,
        headers: { 'content-type': 'text/html;charset=utf-8' },
        body: `{"${method.replaceAll('.', '_')}_response":${raw},"alipay_cert_sn":"${certificateSn}","sign":"${signText(raw)}"}`,
      };
    },

    callback: ({ order_no, trade_no, event_id, subject, state, cents, paid_at }) => {
      const params = new Map([
        ['notify_type', 'trade_status_sync'],
        ['notify_id', event_id],
        ['notify_time', chinaTime(clock.now())],
        ['charset', 'utf-8'],
        ['version', '1.0'],
        ['app_id', merchant.alipay_app],
        ['seller_id', merchant.alipay],
        ['out_trade_no', order_no],
        ['trade_no', trade_no],
        ['subject', subject],
        ['total_amount', amountText(cents)],
        ['trade_status', statusOf[state]],
        ...(paid_at === null ? [] : ([['gmt_payment', chinaTime(paid_at)]] as const)),
      ]);
      const body = new URLSearchParams([...params, ['sign_type', 'RSA2'], ['sign', signText(joined(params))]]).toString();
      return { headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }, body };
    },

    isAccepted: (_status, body) => body === 'success',
  };
};
