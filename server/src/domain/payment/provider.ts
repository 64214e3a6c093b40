import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../kit/clock.ts';

/** withdrawn: was paid, and the money was returned. expired: can no longer be paid. */
export type PaymentState = 'paid' | 'waiting' | 'expired' | 'withdrawn';

export interface NewOrder {
  /** Our number: 6 to 32 letters, digits, `_` or `-`. The same number is the same order. */
  readonly order_no: string;
  /** Yuan with two decimals. */
  readonly amount: string;
  readonly subject: string;
  readonly notify_url: string;
  /** WeChat Pay requires more than one minute from now. */
  readonly expire_at: number;
}

export interface Trade {
  readonly state: PaymentState;
  /** Number of the provider; null until the payer starts to pay. */
  readonly trade_no: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly paid_at: number | null;
}

export interface NewRefund {
  readonly order_no: string;
  /** Our number. A repeated call with it returns the state of that refund and never pays twice. */
  readonly refund_no: string;
  readonly amount: string;
  /** Amount of the payment. */
  readonly total: string;
}

export interface Callback {
  readonly order_no: string;
  readonly trade_no: string;
  readonly amount: string;
  readonly currency: string;
  readonly state: PaymentState;
  readonly paid_at: number | null;
  /** Equal for all repetitions of a notification. */
  readonly event_id: string;
}

/** Reply to a callback of the provider. */
export interface CallbackReply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Methods throw a `PaymentError`; a RangeError is a bug of the caller. Keep one provider per configuration, because it caches downloaded
 * certificates.
 */
export interface PaymentProvider {
  /** Returns the text of the QR code for the payer. */
  createOrder(order: NewOrder): Promise<{ pay_url: string }>;
  query(orderNo: string): Promise<Trade>;
  /** Refused for a paid order. A waiting order may be paid at the same moment: the callback decides. */
  close(orderNo: string): Promise<void>;
  refund(refund: NewRefund): Promise<{ state: 'done' | 'processing' }>;
  /** Checks signature, age and merchant; the caller compares amount and currency with the order. */
  readCallback(headers: IncomingHttpHeaders, rawBody: Buffer): Promise<Callback>;
  /** `accepted` stops the repetitions of the provider, so send it only after the commit. */
  replyTo(accepted: boolean): CallbackReply;
}

export interface ProviderOptions {
  readonly clock?: Clock;
}
