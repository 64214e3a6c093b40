import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../kit/clock.ts';

/** withdrawn: was paid, and the money went back. expired: nobody can pay it any more. */
export type PaymentState = 'paid' | 'waiting' | 'expired' | 'withdrawn';

export interface NewOrder {
  /** Ours, 6 to 32 letters, digits, `_` or `-`; the same number again is the same order. */
  readonly order_no: string;
  /** Yuan with two decimals. */
  readonly amount: string;
  readonly subject: string;
  readonly notify_url: string;
  /** WeChat wants it more than a minute ahead. */
  readonly expire_at: number;
}

export interface Trade {
  readonly state: PaymentState;
  /** The provider's number; null while nobody has begun to pay. */
  readonly trade_no: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly paid_at: number | null;
}

export interface NewRefund {
  readonly order_no: string;
  /** Ours; the same number again asks how that refund went and never pays twice. */
  readonly refund_no: string;
  readonly amount: string;
  /** What was paid. */
  readonly total: string;
}

export interface Callback {
  readonly order_no: string;
  readonly trade_no: string;
  readonly amount: string;
  readonly currency: string;
  readonly state: PaymentState;
  readonly paid_at: number | null;
  /** The same for every repetition of a notice. */
  readonly event_id: string;
}

/** What the provider has to hear about its callback. */
export interface CallbackReply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Every verb throws a `PaymentError`; a RangeError is a mistake of the caller. Keep one provider for a configuration: it remembers the certificates that it fetched. */
export interface PaymentProvider {
  /** What the payer scans, as text of a QR code. */
  createOrder(order: NewOrder): Promise<{ pay_url: string }>;
  query(orderNo: string): Promise<Trade>;
  /** Refused for a paid order. An order on its way may still be paid in this moment: the callback has the last word. */
  close(orderNo: string): Promise<void>;
  refund(refund: NewRefund): Promise<{ state: 'done' | 'processing' }>;
  /** Checks signature, freshness and merchant; comparing amount and currency with the order is for the caller. */
  readCallback(headers: IncomingHttpHeaders, rawBody: Buffer): Promise<Callback>;
  /** `accepted` ends the provider's repetitions, so say it only after the commit. */
  answer(accepted: boolean): CallbackReply;
}

export interface ProviderOptions {
  readonly clock?: Clock;
}
