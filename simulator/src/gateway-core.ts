import type { Random } from '@farlink/contract/kit/random.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Faults } from './faults.ts';
import type { GatewayTraffic } from './gateway-traffic.ts';
import type { LinkName } from './radio.ts';

/** Base of a gateway for its components. It refers to no component, so each component can pick what it needs. */
export interface GatewayCore {
  readonly sn: string;
  readonly boot: string;
  readonly random: Random;
  readonly faults: Faults;
  readonly current: LinkName | undefined;
  /** Traffic of the gateway itself. */
  readonly own: GatewayTraffic;
  /** A separate random stream for one module. */
  fork(name: string): Random;
  now(): number;
  /** Simulates work; `seconds` are simulated seconds. */
  wait(seconds: number): Promise<void>;
  /** Bytes per second of the current link; undefined: no power, no link, or a link billed by volume without `any`. */
  rate(any?: boolean): number | undefined;
  event(kind: string, more: JsonObject): void;
  /** Resolves when the queue is empty, or after a short timeout. */
  flushed(): Promise<void>;
}

/** A gateway that transfers files. */
export type TransferGateway = Pick<GatewayCore, 'faults' | 'random' | 'rate' | 'wait' | 'own'>;
