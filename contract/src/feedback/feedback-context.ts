import type { LinkState } from '../device/choices.ts';
import type { DeviceEventKind } from '../protocol/event.ts';
import type { Network } from '../protocol/network.ts';

/** A state from `start` until `end`, cut to the shown period. */
export interface StateSpan<State extends string = LinkState> {
  readonly start: number;
  readonly end: number;
  readonly state: State;
}

export interface LinkStates {
  readonly name: string;
  readonly network: Network;
  readonly spans: readonly StateSpan[];
}

export interface ApStates {
  readonly name: string;
  readonly spans: readonly StateSpan<'up' | 'offline'>[];
}

export interface SessionSpan {
  readonly start: number;
  readonly end: number;
  readonly login_at: number;
  readonly logout_at: number | null;
  readonly mac: string | null;
  readonly up_bytes: number;
  readonly down_bytes: number;
}

/** State of a device in the minutes before and after a feedback. */
export interface FeedbackContext {
  readonly at: number;
  readonly start: number;
  readonly end: number;
  readonly online: readonly StateSpan<'on' | 'off'>[];
  /** The link in use; `state` is its name. */
  readonly current: readonly StateSpan<string>[];
  readonly links: readonly LinkStates[];
  readonly aps: readonly ApStates[];
  /** Sessions of the account. */
  readonly sessions: readonly SessionSpan[];
  /** Means of each minute. */
  readonly load: readonly { readonly at: number; readonly cpu: number; readonly memory: number }[];
  /** Bytes per second over all links. */
  readonly flow: readonly { readonly at: number; readonly up: number; readonly down: number }[];
  readonly events: readonly { readonly at: number; readonly kind: DeviceEventKind; readonly content: string }[];
}
