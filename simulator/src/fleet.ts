import { Random } from '@farlink/contract/kit/random.ts';
import { Gateway } from './gateway.ts';
import type { GatewayOptions } from './gateway-options.ts';

export interface FleetOptions {
  /** Speed of the simulated time relative to real time. */
  readonly speed: number;
  readonly seed: number;
  /** New connections per second, so a whole fleet does not connect at once. */
  readonly connectsPerSecond: number;
  /** Simulated time at the start. */
  readonly startAt?: number;
}

const slotMs = 100;
/** Simulated seconds between two steps of a gateway. */
const stepS = 60;
const shortestMs = 1000;
const longestMs = 60_000;

/** Runs many gateways on one timer: a timer wheel with slots of 0.1 s. */
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

  /** Simulated time. */
  now(): number {
    return (this.#o.startAt ?? 1_780_000_000) + ((performance.now() - this.#began) / 1000) * this.#o.speed;
  }

  start() {
    const stagger = 1000 / this.#o.connectsPerSecond;
    for (const [i, gateway] of this.gateways.entries()) this.#begin(gateway, i * stagger);
    this.#timer = setInterval(() => this.#advance(), slotMs);
  }

  #begin(gateway: Gateway, connectMs: number) {
    gateway.step(this.now());
    this.#in(connectMs, () => void this.#keepConnected(gateway, 0));
    this.#in(this.#random.between(0, (stepS * 1000) / this.#o.speed), () => this.#live(gateway));
  }

  /** Adds a gateway that connects at once. It replaces one with the same serial number. */
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

  #advance() {
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

  /** Reconnects with exponential backoff and jitter. */
  async #keepConnected(gateway: Gateway, failures: number) {
    if (!this.#isOurs(gateway)) return;
    const mayTry = gateway.powered && gateway.current !== undefined;
    const up = gateway.state !== 'off' || (mayTry && (await gateway.connect()));
    // A gateway without power or link has not failed: it retries at the shortest interval.
    const wait = up || !mayTry ? shortestMs : Math.min(longestMs, shortestMs * 2 ** failures);
    this.#in(wait * this.#random.between(0.5, 1.5), () => void this.#keepConnected(gateway, up || !mayTry ? 0 : failures + 1));
  }

  counts() {
    const of = (countOf: (g: Gateway) => number) => this.gateways.reduce((sum, g) => sum + countOf(g), 0);
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
