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
  /** Only the last of its topic counts. */
  readonly passing?: boolean;
  /** Waits for a link that is not billed by volume. */
  readonly heavy?: boolean;
}

/** How it stands now. */
export interface View {
  readonly position: Position;
  readonly links: readonly LinkNow[];
  readonly aps: readonly AccessPoint[];
  readonly lan: readonly number[];
  /** Seconds since the power came. */
  readonly uptime: number;
}

/** The gateway as those see it who work in it: operations, services, downloads. */
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
  /** State of the modem's options file, and the billing mode, by the codes of the console. */
  readonly opt: 0 | 1 | 2;
  readonly bill: 0 | 1 | 2 | 3;
  /** What whoever is not signed in is shown. */
  portal: JsonObject | undefined;
  /** Chance of its own for a part of it. */
  fork(part: string): Random;
  view(): View;
  now(): number;
  /** Milliseconds that only ever grow, through reboots too. */
  ms(): number;
  /** Where the console really is. */
  readonly console: string;
  /** Work takes time; `seconds` are those of the simulated world. */
  wait(seconds: number): Promise<void>;
  /** Bytes a second on the link that it has; undefined: nothing heavy may begin there, unless `any` link will do, or there is none or no power. */
  rate(any?: boolean): number | undefined;
  rtt(): number;
  event(kind: string, more: JsonObject): void;
  /** Something that must arrive, kept until it has. */
  say(tail: string, body: JsonObject, how?: Manner): void;
  /** Takes back what has not left yet. */
  unsay(tail: string): void;
  /** Somebody at the gateway itself changes a section. */
  changeLocally(section: string, doc: JsonObject): void;
  /** Says once more what it holds of these sections. */
  reportSections(names: readonly string[]): void;
  /** When what was said has arrived, or after a moment in which it did not. */
  flushed(): Promise<void>;
  /** Off and on again. */
  restart(): Promise<void>;
  /** Says once more who is here. */
  greet(): void;
  /** Nothing that is connected stays so. */
  cutOff(): void;
  /** Lets the connection go and comes back with whatever key is right now. */
  reconnect(): void;
  /** Off with a farewell, or cut without one. */
  power(power: 'on' | 'off' | 'cut'): void;
}
