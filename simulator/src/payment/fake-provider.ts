import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from './clock.ts';
import type { StandInKeys } from './keys.ts';
import type { OrderBook, StandInOrder } from './order-book.ts';

export interface ProviderRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ProviderResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** One provider from the view of the merchant. */
export interface FakeProvider {
  handle(request: ProviderRequest): ProviderResponse;
  /** Notice about an order, signed with the current time. */
  callback(order: StandInOrder): Omit<ProviderResponse, 'status'>;
  /** Whether the reply of the merchant stops the repetitions. */
  isAccepted(status: number, body: string): boolean;
}

/** Context of both fake providers. */
export interface FakeContext {
  readonly keys: StandInKeys;
  readonly orders: OrderBook;
  readonly clock: Clock;
  payUrl(order: StandInOrder): string;
}
