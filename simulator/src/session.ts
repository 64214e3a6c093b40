import type { authorizers } from '@farlink/gateway/protocol/stream.ts';
import type { Grant } from './radius/grant.ts';
import { seedOf } from './random.ts';

export interface Session {
  readonly sid: string;
  readonly acc: string;
  readonly mac: string;
  readonly ip: string;
  readonly vlan: number | undefined;
  /** The side that authorised it. */
  readonly via: (typeof authorizers)[number];
  /** Start time. */
  readonly at: number;
  /** Uptime of the gateway at the start. */
  readonly startUptime: number;
  /** Limits of RADIUS. Undefined: the stored account has the limits. */
  grant: Grant | undefined;
  /** Bytes of the session. */
  u: number;
  d: number;
  /** Remaining steps. */
  left: number;
  /** False: connected, but generates no traffic. */
  browses: boolean;
  /** Time of the last traffic. */
  active: number;
}

const octet = (n: number) => (n & 255).toString(16).padStart(2, '0');
/** MAC address derived from a name. The second bit of the first byte marks it as locally administered. */
export const macOf = (name: string): string => {
  const a = seedOf(name, 1);
  const b = seedOf(name, 2);
  return ['02', octet(a), octet(a >> 8), octet(a >> 16), octet(b), octet(b >> 8)].join(':');
};

/** `02AB.12CD-…` as `02:ab:12:cd:…` */
export const normalMac = (mac: string): string =>
  mac
    .toLowerCase()
    .replace(/[^0-9a-f]/g, '')
    .replace(/(..)(?=.)/g, '$1:');
