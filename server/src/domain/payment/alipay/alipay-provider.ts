import { systemClock } from '../../../kit/clock.ts';
import { chinaTime, fromChinaTime } from '../china-time.ts';
import { type Json, needText, textOf } from '../json.ts';
import { fromCents, toCents } from '../money.ts';
import { checkOrderNo } from '../order-no.ts';
import { foreignMerchant, noAnswer, PaymentError, refused, stale, unreadable } from '../payment-error.ts';
import type { PaymentProvider, PaymentState, ProviderOptions, Trade } from '../provider.ts';
import { checkPair, readCertificate, readPrivateKey } from '../rsa.ts';
import { send } from '../send.ts';
import { certSn, rootCertSn } from './cert-sn.ts';
import { readAnswer, readNotice, signed } from './sign.ts';

export interface AlipayConfig {
  readonly merchant_id: string;
  readonly app_id: string;
  /** Texts of the uploaded files. */
  readonly private_key: string;
  readonly app_cert: string;
  readonly alipay_cert: string;
  readonly root_cert: string;
  readonly gateway?: string;
}

/** Alipay repeats a notice for up to 25 hours, possibly with the original time. A shorter limit would lose payments. */
const noticeLifeS = 26 * 3600;
const clockSkewS = 300;

/** Alipay may omit trailing zeros; more than two decimals are invalid. */
const amountOf = (text: string): string => {
  const [, whole, part = ''] = /^(\d{1,11})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined) throw unreadable('total_amount');
  return fromCents(toCents(`${whole}.${part.padEnd(2, '0')}`));
};

/** A closed trade was refunded in full if it was paid, else it expired. */
const stateOf = (status: string, paidAt: number | null): PaymentState => {
  if (status === 'TRADE_SUCCESS' || status === 'TRADE_FINISHED') return 'paid';
  if (status === 'WAIT_BUYER_PAY') return 'waiting';
  if (status === 'TRADE_CLOSED') return paidAt === null ? 'expired' : 'withdrawn';
  throw unreadable('trade_status');
};

const timeOf = (text: string | undefined): number | null => {
  const time = text === undefined ? null : fromChinaTime(text);
  if (Number.isNaN(time)) throw unreadable('time');
  return time;
};

const unknownTrade = 'ACQ.TRADE_NOT_EXIST';

export const alipayProvider = (config: AlipayConfig, { clock = systemClock }: ProviderOptions = {}): PaymentProvider => {
  const key = readPrivateKey(config.private_key, ['应用私钥', 'The application key']);
  const appCert = readCertificate(config.app_cert, ['应用公钥证书', 'The application certificate']);
  const alipayCert = readCertificate(config.alipay_cert, ['支付宝公钥证书', 'The Alipay certificate']);
  checkPair(key, appCert);
  const theirs = { sn: certSn(alipayCert), key: alipayCert.publicKey };
  const fixed = {
    app_id: config.app_id,
    format: 'JSON',
    charset: 'utf-8',
    sign_type: 'RSA2',
    version: '1.0',
    app_cert_sn: certSn(appCert),
    alipay_root_cert_sn: rootCertSn(config.root_cert),
  };

  const call = async (method: string, content: Json, notifyUrl = ''): Promise<Json> => {
    const params = { ...fixed, method, timestamp: chinaTime(clock.now()), notify_url: notifyUrl, biz_content: JSON.stringify(content) };
    const { biz_content, ...query } = signed(params, key);
    const url = new URL(config.gateway ?? 'https://openapi.alipay.com/gateway.do');
    for (const [name, value] of Object.entries(query)) if (value !== '') url.searchParams.set(name, value);
    const reply = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
      body: new URLSearchParams({ biz_content: biz_content ?? '' }).toString(),
    });
    const response = readAnswer(reply.body, method, theirs);
    if (response.code === '10000') {
      // A reply has no time and no nonce, so a replayed reply for another order would verify too.
      if ((response.out_trade_no ?? content.out_trade_no) !== content.out_trade_no) throw unreadable('out_trade_no');
      return response;
    }
    const code = textOf(response, 'sub_code') ?? needText(response, 'code');
    if (response.code === '20000' || code.endsWith('SYSTEM_ERROR')) throw noAnswer({ code });
    throw refused(code, textOf(response, 'sub_msg') ?? '');
  };

  /** Alipay creates the trade when the code is scanned; before that it is unknown. */
  const unlessUnknown = async (content: Json, method: string): Promise<Json | undefined> => {
    try {
      return await call(method, content);
    } catch (error) {
      if (error instanceof PaymentError && error.code === unknownTrade) return undefined;
      throw error;
    }
  };

  return {
    createOrder: async ({ order_no, amount, subject, notify_url, expire_at }) => {
      const content = {
        out_trade_no: checkOrderNo(order_no),
        total_amount: fromCents(toCents(amount)),
        subject: subject.replace(/[/=&]/g, ' ').slice(0, 256),
        time_expire: chinaTime(expire_at),
      };
      const response = await call('alipay.trade.precreate', content, notify_url);
      return { pay_url: needText(response, 'qr_code') };
    },

    query: async (orderNo): Promise<Trade> => {
      const response = await unlessUnknown({ out_trade_no: orderNo }, 'alipay.trade.query');
      if (!response) return { state: 'waiting', trade_no: null, amount: null, currency: null, paid_at: null };
      const paidAt = timeOf(textOf(response, 'send_pay_date'));
      return {
        state: stateOf(needText(response, 'trade_status'), paidAt),
        trade_no: needText(response, 'trade_no'),
        amount: amountOf(needText(response, 'total_amount')),
        currency: textOf(response, 'trans_currency') ?? 'CNY',
        paid_at: paidAt,
      };
    },

    /** An unscanned code cannot be closed: it stays payable until `expire_at`. */
    close: async (orderNo) => {
      await unlessUnknown({ out_trade_no: orderNo }, 'alipay.trade.close');
    },

    refund: async ({ order_no, refund_no, amount }) => {
      const which = { out_trade_no: order_no, out_request_no: refund_no };
      const response = await call('alipay.trade.refund', { ...which, refund_amount: fromCents(toCents(amount)) });
      if (response.fund_change === 'Y') return { state: 'done' };
      const outcome = await call('alipay.trade.fastpay.refund.query', which);
      return { state: outcome.refund_status === 'REFUND_SUCCESS' ? 'done' : 'processing' };
    },

    readCallback: async (_headers, rawBody) => {
      const notice = readNotice(rawBody, theirs);
      const age = clock.now() - (timeOf(needText(notice, 'notify_time')) ?? 0);
      if (age > noticeLifeS || age < -clockSkewS) throw stale();
      if (notice.app_id !== config.app_id || (notice.seller_id ?? config.merchant_id) !== config.merchant_id) throw foreignMerchant();
      const paidAt = timeOf(textOf(notice, 'gmt_payment'));
      return {
        order_no: needText(notice, 'out_trade_no'),
        trade_no: needText(notice, 'trade_no'),
        amount: amountOf(needText(notice, 'total_amount')),
        currency: textOf(notice, 'trans_currency') ?? 'CNY',
        state: stateOf(needText(notice, 'trade_status'), paidAt),
        paid_at: paidAt,
        event_id: needText(notice, 'notify_id'),
      };
    },

    answer: (accepted) => ({ status: 200, type: 'text/plain; charset=utf-8', body: accepted ? 'success' : 'fail' }),
  };
};
