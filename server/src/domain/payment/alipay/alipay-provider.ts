import { systemClock } from '../../../kit/clock.ts';
import { chinaTime, fromChinaTime } from '../china-time.ts';
import { needText, textOf } from '../json.ts';
import { fromCents, toCents } from '../money.ts';
import { checkOrderNo } from '../order-no.ts';
import { foreignMerchant, stale, unreadable } from '../payment-error.ts';
import type { PaymentProvider, PaymentState, ProviderOptions, Trade } from '../provider.ts';
import { type AlipayConfig, alipayClient } from './alipay-client.ts';
import { readNotification } from './sign.ts';

/** Alipay repeats a notification for up to 25 hours, possibly with the original time. A shorter limit would lose payments. */
const notificationLifeS = 26 * 3600;
const clockSkewS = 300;

/** Alipay may omit trailing zeros; more than two decimals are invalid. */
const amountOf = (text: string): string => {
  const [, integer, decimals = ''] = /^(\d{1,11})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (integer === undefined) throw unreadable('total_amount');
  return fromCents(toCents(`${integer}.${decimals.padEnd(2, '0')}`));
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

export const alipayProvider = (config: AlipayConfig, { clock = systemClock }: ProviderOptions = {}): PaymentProvider => {
  const { certificate, call, callUnlessUnknown } = alipayClient(config, clock);

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
      const response = await callUnlessUnknown('alipay.trade.query', { out_trade_no: orderNo });
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
      await callUnlessUnknown('alipay.trade.close', { out_trade_no: orderNo });
    },

    refund: async ({ order_no, refund_no, amount }) => {
      const which = { out_trade_no: order_no, out_request_no: refund_no };
      const response = await call('alipay.trade.refund', { ...which, refund_amount: fromCents(toCents(amount)) });
      if (response.fund_change === 'Y') return { state: 'done' };
      const outcome = await call('alipay.trade.fastpay.refund.query', which);
      return { state: outcome.refund_status === 'REFUND_SUCCESS' ? 'done' : 'processing' };
    },

    readCallback: async (_headers, rawBody) => {
      const notification = readNotification(rawBody, certificate);
      const age = clock.now() - (timeOf(needText(notification, 'notify_time')) ?? 0);
      if (age > notificationLifeS || age < -clockSkewS) throw stale();
      if (notification.app_id !== config.app_id || (notification.seller_id ?? config.merchant_id) !== config.merchant_id)
        throw foreignMerchant();
      const paidAt = timeOf(textOf(notification, 'gmt_payment'));
      return {
        order_no: needText(notification, 'out_trade_no'),
        trade_no: needText(notification, 'trade_no'),
        amount: amountOf(needText(notification, 'total_amount')),
        currency: textOf(notification, 'trans_currency') ?? 'CNY',
        state: stateOf(needText(notification, 'trade_status'), paidAt),
        paid_at: paidAt,
        event_id: needText(notification, 'notify_id'),
      };
    },

    replyTo: (accepted) => ({ status: 200, type: 'text/plain; charset=utf-8', body: accepted ? 'success' : 'fail' }),
  };
};
