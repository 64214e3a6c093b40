import type { StreamName } from '@farlink/gateway/protocol/stream.ts';
import type { ConnectionOptions } from './connection.ts';
import type { Faults } from './faults.ts';
import type { WorldOptions } from './world.ts';

export interface GatewayOptions extends ConnectionOptions, WorldOptions {
  /** The device key. Without one the gateway enrols with its merchant code. */
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
  /** The gateway starts with links, a LAN and more, and reports them once. Without this it has factory values. */
  readonly configured?: boolean;
  /** Name in the initial configuration; default: the serial number. */
  readonly name?: string;
  /** Receives every event and batch, so a test can compare them with the data of the console. */
  readonly produced?: (what: { event: string } | { stream: StreamName; boot: string; seq: number; rows: number }) => void;
  /** Receives each new key. */
  readonly enrolled?: (sn: string, key: string) => void;
  /** Real seconds per second of work (download, restart, installation). The default is almost none, for tests. */
  readonly workScale?: number;
  /** Real milliseconds until a request that the portal passes on to the console counts as unanswered. */
  readonly passTimeoutMs?: number;
  /** Port on loopback at which the gateway serves its portal, 0 for any. Without it the portal serves on request only. */
  readonly portalPort?: number;
  /** Real milliseconds until a RADIUS request is repeated; later gaps are longer. */
  readonly radiusRetryMs?: number;
  /** Real time in milliseconds; a test can replace it. */
  readonly realMs?: () => number;
}

/** Options that all gateways of a fleet share. */
export type FleetOptions = Omit<GatewayOptions, 'sn' | 'key' | 'code'>;

/** First configuration of a gateway that has left the factory. */
export const initialSetupOf = ({ name, sn, docker = 1, at }: GatewayOptions) => ({
  name: (name ?? sn).slice(0, 25),
  docker,
  isFixed: at !== undefined,
});
