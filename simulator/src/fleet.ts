import { Gateway, type GatewayOptions } from './gateway.ts';
import { randomOf } from './random.ts';

export interface FleetOptions {
  /** How much faster than ours the simulated world runs. */
  readonly speed: number;
  readonly seed: number;
  /** New connections a second, so that a whole fleet does not knock at once. */
  readonly connectsPerSecond: number;
  readonly startAt?: number;
}

const slotMs = 100;
const [shortestMs, longestMs] = [1000, 60_000];

/** Many gateways on one timer: each has its next moment in a wheel of tenths of a second. */
export class Fleet {
  readonly gateways: readonly Gateway[];
  readonly #o: FleetOptions;
  readonly #random;
  readonly #slots = new Map<number, (() => void)[]>();
  readonly #began = performance.now();
  #slot = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(gateways: readonly GatewayOptions[], options: FleetOptions) {
    this.#o = options;
    this.#random = randomOf(options.seed);
    this.gateways = gateways.map((g) => new Gateway(g));
  }

  /** The time of the simulated world. */
  now(): number {
    return (this.#o.startAt ?? 1_780_000_000) + ((performance.now() - this.#began) / 1000) * this.#o.speed;
  }

  start() {
    const stagger = 1000 / this.#o.connectsPerSecond;
    for (const [i, gateway] of this.gateways.entries()) {
      gateway.step(this.now());
      this.#in(i * stagger, () => this.#keepConnected(gateway, 0));
      this.#in(this.#random.between(0, (gateway.stepS * 1000) / this.#o.speed), () => this.#live(gateway));
    }
    this.#timer = setInterval(() => this.#turn(), slotMs);
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
    if (this.#stopping) return;
    gateway.step(this.now());
    this.#in((gateway.stepS * 1000) / this.#o.speed, () => this.#live(gateway));
  }

  /** Comes back by itself, after a pause that doubles and is never the same for two. */
  async #keepConnected(gateway: Gateway, failures: number) {
    if (this.#stopping) return;
    const up = gateway.state !== 'off' || (gateway.current !== undefined && (await gateway.connect()));
    const wait = up ? shortestMs : Math.min(longestMs, shortestMs * 2 ** failures);
    this.#in(wait * this.#random.between(0.5, 1.5), () => void this.#keepConnected(gateway, up ? 0 : failures + 1));
  }

  counts() {
    const of = (pick: (g: Gateway) => number) => this.gateways.reduce((sum, g) => sum + pick(g), 0);
    return {
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
