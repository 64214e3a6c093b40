import type { Random } from '@farlink/contract/kit/random.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { macOf } from './session.ts';

export interface AccessPoint {
  readonly name: string;
  readonly mac: string;
  readonly ip: string;
  s: 0 | 1;
  stations: number;
}

/** Access points and LAN ports of a gateway, which go up and down. */
export class LanSide {
  readonly #random: Random;
  readonly #event: (kind: string, more: JsonObject) => void;
  readonly aps: readonly AccessPoint[];
  readonly lan: (0 | 1)[];

  constructor(sn: string, random: Random, event: (kind: string, more: JsonObject) => void) {
    this.#random = random;
    this.#event = event;
    this.aps = Array.from({ length: random.int(1, 4) }, (_, i) => {
      const name = `ap${i + 1}`;
      return { name, mac: macOf(`${sn} ${name}`), ip: `192.168.10.${241 + i}`, s: 1, stations: random.int(0, 6) };
    });
    this.lan = [1, 1, random.chance(0.5) ? 1 : 0, 0];
  }

  setAp(name: string, up: boolean): boolean {
    const ap = this.aps.find((a) => a.name === name);
    if (!ap) return false;
    const s = up ? 1 : 0;
    if (ap.s === s) return true;
    ap.s = s;
    ap.stations = 0;
    this.#event('ap', { ap: name, s, mac: ap.mac, ip: ap.ip });
    return true;
  }

  setPort(port: number, up: boolean): boolean {
    if (this.lan[port] === undefined) return false;
    const s = up ? 1 : 0;
    if (this.lan[port] === s) return true;
    this.lan[port] = s;
    this.#event('port', { port, s });
    return true;
  }

  /** Some ports are unplugged and plugged in again. */
  step(users: number) {
    const random = this.#random;
    for (const ap of this.aps) {
      if (random.chance(ap.s === 1 ? 0.0006 : 0.06)) this.setAp(ap.name, ap.s === 0);
      if (ap.s === 1) ap.stations = Math.max(0, Math.round(users / this.aps.length) + random.int(0, 3));
    }
    const port = random.int(0, this.lan.length - 1);
    if (random.chance(this.lan[port] === 1 ? 0.0004 : 0.004)) this.setPort(port, this.lan[port] === 0);
  }
}
