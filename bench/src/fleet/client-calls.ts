import type { Kind } from './lean-gateway.ts';
import type { LoopResult } from './open-loop.ts';

/** Range of gateways of one client process. */
export interface Range {
  readonly first: number;
  readonly count: number;
  /** Loopback source addresses. An address has one port for each connection. */
  readonly addresses: readonly string[];
}

export interface Load {
  readonly kind: Kind;
  readonly perSecond: number;
  readonly seconds: number;
  /** Epoch ms. */
  readonly startAt: number;
  /** Longest wait for acknowledgements after the last message. */
  readonly ackWaitMs: number;
}

export interface ClientState {
  readonly online: number;
  readonly connecting: number;
  /** Times that a gateway came online since `ready` or `cut`. */
  readonly ready: number;
  /** Failed connections and refused messages by reason. */
  readonly errors: Readonly<Record<string, number>>;
  /** Event-loop delay in ms since the last call with `reset`. */
  readonly lagP99: number;
  readonly lagMax: number;
}

export interface ClientCalls {
  /** Opens a new set of gateways; an older one is cut. */
  open(range: Range): void;
  /** Connects the offline gateways, at most `atOnce` at a time, and reconnects lost ones. */
  connect(options: { readonly ports: readonly number[]; readonly atOnce: number; readonly domain: string }): void;
  /** Drops the gateways that are not online. */
  dropOffline(): void;
  /** Cuts all connections at this time (epoch ms). They reconnect to their first port. */
  cut(at: number): Promise<void>;
  state(reset: boolean): ClientState;
  /** Epoch ms at which each gateway was online again, since the last call. */
  ready(): Float64Array;
  run(load: Load): Promise<LoopResult>;
  /** Newest acknowledged status of each gateway, in their order. */
  acked(): Uint32Array;
  /** Acknowledged events since the last call: number of the gateway and of the event, alternating. */
  ackedEvents(): Uint32Array;
}

export type CallName = keyof ClientCalls;
export type Argument<N extends CallName> = Parameters<ClientCalls[N]>[0];
export type Result<N extends CallName> = Awaited<ReturnType<ClientCalls[N]>>;

export interface Request {
  readonly id: number;
  readonly name: CallName;
  readonly argument: unknown;
}

export interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

export const epochMs = () => performance.timeOrigin + performance.now();
