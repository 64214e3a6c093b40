import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { ConnectionState } from './connection.ts';
import type { Containers } from './containers.ts';
import type { Faults } from './faults.ts';
import type { Files } from './files.ts';
import type { Firmware } from './firmware.ts';
import type { Keys } from './keys.ts';
import type { Memory } from './memory.ts';
import type { LinkName, LinkNow } from './radio.ts';
import type { Random } from './random.ts';
import type { Position } from './route.ts';
import type { Sections } from './sections.ts';
import type { Tunnels } from './tunnels.ts';
import type { Users } from './users.ts';
import type { World } from './world.ts';

export type ChangeMode = 'default' | 'backup' | 'roaming';
export type LinkLock = 'unlocked' | 'global' | 'second_satellite';

export interface AccessPoint {
  readonly name: string;
  readonly mac: string;
  readonly ip: string;
  s: 0 | 1;
  stations: number;
}

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

/** Interface of the gateway for its own modules: operations, services, downloads. */
export interface GatewayInternals {
  readonly sn: string;
  readonly model: string;
  readonly boot: string;
  readonly random: Random;
  readonly faults: Faults;
  readonly sections: Sections;
  readonly firmware: Firmware;
  readonly files: Files;
  readonly containers: Containers;
  readonly users: Users;
  readonly keys: Keys;
  readonly tunnels: Tunnels;
  readonly world: World;
  readonly current: LinkName | undefined;
  readonly powered: boolean;
  readonly memory: Memory;
  readonly state: ConnectionState;
  /** Codes of the console: state of the modem's options file, and billing mode. */
  readonly opt: 0 | 1 | 2;
  readonly bill: 0 | 1 | 2 | 3;
  /** Portal shown to users who are not logged in. */
  portal: JsonObject | undefined;
  /** A separate random stream for one module. */
  fork(part: string): Random;
  view(): View;
  now(): number;
  /** Monotonic milliseconds, also across reboots. */
  ms(): number;
  /** Actual host of the console. */
  readonly console: string;
  /** Simulates work; `seconds` are simulated seconds. */
  wait(seconds: number): Promise<void>;
  /** Bytes per second of the current link; undefined: no power, no link, or a link billed by volume without `any`. */
  rate(any?: boolean): number | undefined;
  rtt(): number;
  event(kind: string, more: JsonObject): void;
  /** Queues a message until it is acknowledged. */
  say(tail: string, body: JsonObject, how?: Manner): void;
  /** Removes a message that is not sent yet. */
  unsay(tail: string): void;
  /** Changes a section at the gateway itself. */
  changeLocally(section: string, doc: JsonObject): void;
  reportSections(names: readonly string[]): void;
  /** Resolves when the queue is empty, or after a short timeout. */
  flushed(): Promise<void>;
  /** Power off and on. */
  restart(): Promise<void>;
  /** Sends the hello message again. */
  greet(): void;
  /** Closes all connections. */
  cutOff(): void;
  /** Disconnects and connects again with the valid key. */
  reconnect(): void;
  /** `off` sends a bye message first; `cut` does not. */
  power(power: 'on' | 'off' | 'cut'): void;
}
