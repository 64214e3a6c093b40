import { Gateway } from './gateway.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { Random } from './random.ts';

export interface FleetOptions {
  /** How much faster than ours the simulated world runs. */
  readonly speed: number;
  readonly seed: number;
  /** New connections a second, so that a whole fleet does not knock at once. */
  readonly connectsPerSecond: number;
  /** The time of the simulated world at the start. */
  readonly startAt?: number;
}

const slotMs = 100;
/** Seconds of the simulated world between two steps of a gateway. */
const stepS = 60;
const [shortestMs, longestMs] = [1000, 60_000];

/** Many gateways on one timer: each has its next moment in a wheel of tenths of a second. */
export class Fleet {
  readonly #o: FleetOptions;
  readonly #random;
  readonly #gateways = new Map<string, Gateway>();
  readonly #slots = new Map<number, (() => void)[]>();
  readonly #began = performance.now();
  #slot = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(gateways: readonly GatewayOptions[], options: FleetOptions) {
    this.#o = options;
    this.#random = new Random(options.seed);
    for (const g of gateways) this.#gateways.set(g.sn, new Gateway(g));
  }

  get gateways(): readonly Gateway[] {
    return [...this.#gateways.values()];
  }

  get(sn: string): Gateway | undefined {
    return this.#gateways.get(sn);
  }

  /** The time of the simulated world. */
  now(): number {
    return (this.#o.startAt ?? 1_780_000_000) + ((performance.now() - this.#began) / 1000) * this.#o.speed;
  }

  start() {
    const stagger = 1000 / this.#o.connectsPerSecond;
    for (const [i, gateway] of this.gateways.entries()) this.#begin(gateway, i * stagger);
    this.#timer = setInterval(() => this.#turn(), slotMs);
  }

  #begin(gateway: Gateway, connectMs: number) {
    gateway.step(this.now());
    this.#in(connectMs, () => void this.#keepConnected(gateway, 0));
    this.#in(this.#random.between(0, (stepS * 1000) / this.#o.speed), () => this.#live(gateway));
  }

  /** One more, which knocks at once; one of the same name makes room. */
  add(options: GatewayOptions): Gateway {
    this.remove(options.sn);
    const gateway = new Gateway(options);
    this.#gateways.set(options.sn, gateway);
    this.#begin(gateway, 0);
    return gateway;
  }

  remove(sn: string): boolean {
    this.#gateways.get(sn)?.stop();
    return this.#gateways.delete(sn);
  }

  #isOurs(gateway: Gateway) {
    return !this.#stopping && this.#gateways.get(gateway.sn) === gateway;
  }

  #in(ms: number, act: () => void) {
    const slot = Math.max(this.#slot + 1, Math.floor((performance.now() - this.#began + ms) / slotMs));
    const list = this.#slots.get(slot);
    if (list) list.push(act);
    else this.#slots.set(slot, [act]);
  }

  #turn() {
    const until = Math.floor((performance.now() - this.#began) / slotMs);
    while (this.#slot < until) {
      const due = this.#slots.get(++this.#slot);
      this.#slots.delete(this.#slot);
      for (const act of due ?? []) act();
    }
  }

  #live(gateway: Gateway) {
    if (!this.#isOurs(gateway)) return;
    gateway.step(this.now());
    this.#in((stepS * 1000) / this.#o.speed, () => this.#live(gateway));
  }

  /** Comes back by itself, after a pause that doubles and is never the same for two. */
  async #keepConnected(gateway: Gateway, failures: number) {
    if (!this.#isOurs(gateway)) return;
    const mayTry = gateway.powered && gateway.current !== undefined;
    const up = gateway.state !== 'off' || (mayTry && (await gateway.connect()));
    // Who has no power or no link does not fail: it is there as soon as it has.
    const wait = up || !mayTry ? shortestMs : Math.min(longestMs, shortestMs * 2 ** failures);
    this.#in(wait * this.#random.between(0.5, 1.5), () => void this.#keepConnected(gateway, up || !mayTry ? 0 : failures + 1));
  }

  counts() {
    const of = (pick: (g: Gateway) => number) => this.gateways.reduce((sum, g) => sum + pick(g), 0);
    return {
      all: this.#gateways.size,
      online: of((g) => (g.state === 'online' ? 1 : 0)),
      waiting: of((g) => g.outgoing.length),
      acked: of((g) => g.outgoing.acked),
      refused: of((g) => g.outgoing.refused),
    };
  }

  stop() {
    this.#stopping = true;
    clearInterval(this.#timer);
    for (const gateway of this.gateways) gateway.stop();
  }
}
