import type { Result } from '@farlink/gateway/protocol/message.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { TempReleasePurpose } from '@farlink/gateway/protocol/temp-release.ts';
import type { Accounts } from './accounts.ts';
import type { Brand } from './brand.ts';
import type { ConnectionState } from './connection.ts';
import type { Containers } from './containers.ts';
import type { DangerSites } from './danger-sites.ts';
import type { DpiReports } from './dpi/dpi-reports.ts';
import type { Files } from './files.ts';
import type { Firmware } from './firmware.ts';
import type { GatewayCore } from './gateway-core.ts';
import type { Keys } from './keys.ts';
import type { AccessPoint } from './lan-side.ts';
import type { Memory } from './memory.ts';
import type { People } from './people.ts';
import type { Portal } from './portal/portal.ts';
import type { PortalServer } from './portal/portal-server.ts';
import type { LinkNow } from './radio.ts';
import type { Position } from './route.ts';
import type { Sections } from './sections.ts';
import type { TempReleaseResult, TempReleases } from './temp-releases.ts';
import type { Tunnels } from './tunnels.ts';
import type { Users } from './users.ts';
import type { World } from './world.ts';

export interface Manner {
  /** Only the newest message of a topic is kept. */
  readonly passing?: boolean;
  /** Waits for a link that is not billed by volume. */
  readonly heavy?: boolean;
}

/** Current state. */
export interface View {
  readonly position: Position;
  readonly links: readonly LinkNow[];
  readonly aps: readonly AccessPoint[];
  readonly lan: readonly number[];
  /** Seconds since power-on. */
  readonly uptime: number;
}

/** Interface of the gateway for operations, pages and services. Its components use narrower ones. */
export interface GatewayInternals extends GatewayCore {
  readonly model: string;
  readonly sections: Sections;
  readonly firmware: Firmware;
  readonly files: Files;
  /** Kept batches and reports on request. */
  readonly dpi: DpiReports;
  /** Websites that it blocks. */
  readonly danger: DangerSites;
  readonly containers: Containers;
  readonly accounts: Accounts;
  readonly users: Users;
  readonly people: People;
  readonly tempReleases: TempReleases;
  readonly keys: Keys;
  readonly tunnels: Tunnels;
  /** Name and logo on the gateway's own pages. */
  readonly brand: Brand;
  readonly world: World;
  readonly powered: boolean;
  readonly memory: Memory;
  readonly state: ConnectionState;
  /** Codes of the console: state of the modem's options file, and billing mode. */
  readonly opt: 0 | 1 | 2;
  readonly bill: 0 | 1 | 2 | 3;
  /** Portal shown to users who are not logged in, and its web server. */
  readonly portal: Portal;
  readonly portalServer: PortalServer;
  /** A terminal without access asks for a temporary release, by the rule of the console. */
  requestTempRelease(mac: string, purpose: TempReleasePurpose): TempReleaseResult;
  view(): View;
  /** Monotonic milliseconds, also across reboots. */
  ms(): number;
  /** Actual host of the console. */
  readonly console: string;
  rtt(): number;
  /** Queues a message until it is acknowledged. */
  publish(tail: string, body: JsonObject | Result, how?: Manner): void;
  /** Removes a message that is not sent yet. */
  withdraw(tail: string): void;
  /** Changes a section at the gateway itself. */
  changeLocally(section: string, doc: JsonObject): void;
  /** With documents: those that the console has set, too. */
  reportSections(names: readonly string[], withDocuments?: boolean): void;
  /** Power off and on. */
  restart(): Promise<void>;
  /** Sends the hello message again. */
  sendHello(): void;
  /** Closes all connections. */
  dropConnections(): void;
  /** Disconnects and connects again with the valid key. */
  reconnect(): void;
  /** `off` sends a bye message first; `cut` does not. */
  power(power: 'on' | 'off' | 'cut'): void;
}
