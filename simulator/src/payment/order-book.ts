import { randomBytes, randomInt } from 'node:crypto';
import type { Clock } from './clock.ts';

export type Channel = 'alipay' | 'wechat';

export interface StandInOrder {
  readonly channel: Channel;
  readonly order_no: string;
  /** Identifies the order in the URL of its pay page. */
  readonly token: string;
  readonly cents: number;
  readonly subject: string;
  readonly notify_url: string;
  readonly expire_at: number;
  readonly trade_no: string;
  readonly event_id: string;
  readonly refunds: Map<string, number>;
  state: 'waiting' | 'paid' | 'closed' | 'refunded';
  /** Whether the pay page was opened: before that, Alipay has no trade. */
  scanned: boolean;
  paid_at: number | null;
}

type OrderRequest = Pick<StandInOrder, 'channel' | 'order_no' | 'cents' | 'subject' | 'notify_url' | 'expire_at'>;

/** An order from before a restart, as the merchant stored it. */
export interface KnownOrder extends OrderRequest {
  readonly token?: string;
  readonly trade_no?: string;
  readonly paid_at: number | null;
}

export interface OrderBook {
  /** Undefined if another order has the number. */
  open(details: OrderRequest): StandInOrder | undefined;
  find(of: { channel?: Channel; order_no?: string; token?: string }): StandInOrder | undefined;
  /** False if the order was not waiting. */
  pay(order: StandInOrder): boolean;
  close(order: StandInOrder): boolean;
  /** False if the order is not paid or the remaining amount is too small. */
  refund(order: StandInOrder, refundNo: string, cents: number): boolean;
}

export const orderBook = (clock: Clock, known: readonly KnownOrder[] = []): OrderBook => {
  const made = (order: OrderRequest & Partial<StandInOrder>): StandInOrder => ({
    token: randomBytes(16).toString('base64url'),
    trade_no: `${clock.now()}${String(randomInt(10 ** 12)).padStart(18, '0')}`,
    event_id: randomBytes(16).toString('hex'),
    refunds: new Map(),
    state: 'waiting',
    scanned: false,
    paid_at: null,
    ...order,
  });
  const orders = known.map((order) => made({ ...order, ...(order.paid_at !== null && { state: 'paid', scanned: true }) }));

  const find: OrderBook['find'] = (of) => {
    const order = orders.find(
      (o) => (of.channel ?? o.channel) === o.channel && (of.token === undefined ? o.order_no === of.order_no : o.token === of.token),
    );
    if (order?.state === 'waiting' && clock.now() >= order.expire_at) order.state = 'closed';
    return order;
  };

  const endWaiting = (order: StandInOrder, state: 'paid' | 'closed'): boolean => {
    if (find(order)?.state !== 'waiting') return false;
    order.state = state;
    return true;
  };

  return {
    find,
    open: (details) => {
      const known = find(details);
      if (known) return known.state === 'waiting' && known.cents === details.cents ? known : undefined;
      const order = made(details);
      orders.push(order);
      return order;
    },
    pay: (order) => {
      if (!endWaiting(order, 'paid')) return false;
      order.scanned = true;
      order.paid_at = clock.now();
      return true;
    },
    close: (order) => endWaiting(order, 'closed'),
    refund: (order, refundNo, cents) => {
      const before = order.refunds.get(refundNo);
      if (before !== undefined) return before === cents;
      const remaining = order.cents - [...order.refunds.values()].reduce((sum, amount) => sum + amount, 0);
      if (order.state !== 'paid' || cents < 1 || cents > remaining) return false;
      order.refunds.set(refundNo, cents);
      if (cents === remaining) order.state = 'refunded';
      return true;
    },
  };
};
