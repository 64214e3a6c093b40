import type { StreamName } from '@farlink/gateway/protocol/stream.ts';
import type { ConnectionOptions } from './connection.ts';
import type { Faults } from './faults.ts';
import type { WorldOptions } from './world.ts';

export interface GatewayOptions extends ConnectionOptions, WorldOptions {
  /** The device key; without one the gateway asks for it with its merchant code. */
  readonly key?: string;
  readonly faults?: Faults;
  readonly model?: string;
  readonly version?: string;
  readonly previous?: string;
  /** 0 unsupported, 1 normal, 2 abnormal, 3 not enabled, 4 not used. */
  readonly docker?: 0 | 1 | 2 | 3 | 4;
  /** State of the modem's options file: 0 uninitialized, 1 initialized, 2 update available. */
  readonly opt?: 0 | 1 | 2;
  readonly bill?: 0 | 1 | 2 | 3;
  /** Was set up at the yard: it comes with links, a LAN and more, and tells the console once. Without this all is factory's. */
  readonly configured?: boolean;
  /** What it is called there; by default as its SN. */
  readonly name?: string;
  /** Hears of everything that must arrive: what the console has in the end can be compared with it. */
  readonly made?: (what: { event: string } | { stream: StreamName; boot: string; seq: number; rows: number }) => void;
  /** Hears of each new key. */
  readonly enrolled?: (sn: string, key: string) => void;
  /** Our seconds for one of work (a download, a restart, an installation); by default almost none, for tests. */
  readonly pace?: number;
  /** Real milliseconds; a test may own them. */
  readonly realMs?: () => number;
}

/** Options that all gateways of a fleet share. */
export type FleetOptions = Omit<GatewayOptions, 'sn' | 'key' | 'code'>;
