import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { int, list, num, obj, oneOf, parseJson, record, row, str } from '@farlink/gateway/protocol/shape.ts';
import { snPattern } from '@farlink/gateway/protocol/topic.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { seaRouteNames } from './sea-routes.ts';

const version = str(16, /^\d{1,2}\.\d{1,2}\.\d{1,2}$/);
const latLon = row(num(-90, 90), num(-180, 180));

/** Properties of a gateway that a key file or the control server can set. */
export const traits = {
  accounts: list(str(64, /^\S+$/), 20_000),
  /** Passwords of the people on board by account. */
  passwords: record(/^\S{1,64}$/, str(128), 20_000),
  name: str(64),
  model: str(64),
  version,
  previous: version,
  docker: oneOf([0, 1, 2, 3, 4]),
  opt: oneOf([0, 1, 2]),
  bill: oneOf([0, 1, 2, 3]),
  links: list(oneOf(['lte', 'low_orbit', '6d', 'l_band']), 4),
  past: int(0, 30 * 86_400),
  audit: num(0, 10_000),
  at: latLon,
  lane: oneOf(seaRouteNames),
} as const;

const entries = list(obj({ sn: str(64, snPattern), key: str(128) }, traits), 100_000);

/** Converts `[22.5, 113.9]` of files and requests. */
export const placed = <T extends { readonly at?: readonly [number, number] }>({ at, ...rest }: T) => ({
  ...rest,
  ...(at && { at: { lat: at[0], lon: at[1] } }),
});

export type FleetEntry = Pick<GatewayOptions, 'sn' | 'key'> & Partial<GatewayOptions>;

export const readFleet = (path: string): FleetEntry[] => {
  const read = parseJson(entries, readFileSync(path, 'utf8'));
  if ('reason' in read) throw new Error(`${path}: ${read.reason}`);
  return read.value.map(placed);
};

/** Keys that gateways received at run time, stored in a file that only its owner can read. */
export class KeyRing {
  readonly #path: string;
  readonly #keys: Map<string, string>;
  #unsaved = false;

  constructor(path: string) {
    this.#path = path;
    this.#keys = new Map(this.#read());
  }

  #read(): [string, string][] {
    try {
      return readFleet(this.#path).map(({ sn, key = '' }) => [sn, key]);
    } catch {
      return [];
    }
  }

  get(sn: string): string | undefined {
    return this.#keys.get(sn);
  }

  set(sn: string, key: string) {
    this.#keys.set(sn, key);
    this.#unsaved = true;
  }

  save() {
    if (!this.#unsaved) return;
    this.#unsaved = false;
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, JSON.stringify([...this.#keys].map(([sn, key]) => ({ sn, key }))), { mode: 0o600 });
  }
}
