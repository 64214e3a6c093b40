import type { Random } from '@farlink/contract/kit/random.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { GatewayCore } from './gateway-core.ts';

/** Codes of the console: 1 normal, 2 abnormal, 3 not enabled. */
type State = 1 | 2 | 3;
export const containerActs = ['start', 'stop', 'restart', 'install', 'uninstall'] as const;
export type ContainerAct = (typeof containerActs)[number];

interface Container {
  readonly name: string;
  readonly image: string;
  st: State;
  log: string[];
}

const images: readonly (readonly [name: string, image: string])[] = [
  ['portal', 'farlink/portal:2.4.1'],
  ['dpi-agent', 'farlink/dpi-agent:1.9.0'],
  ['video-relay', 'farlink/video-relay:0.8.3'],
  ['crew-mail', 'farlink/crew-mail:3.1.0'],
  ['weather-sync', 'farlink/weather-sync:1.2.7'],
];

/** Containers that are installed at the start. */
export const fittedContainers = (random: Random) => images.slice(0, random.int(2, images.length));

const lines: Readonly<Record<State, readonly [string, ...string[]]>> = {
  1: ['listening on :8080', 'health check passed', 'cache refreshed', 'sync finished, 0 errors'],
  2: ['error: connection to database refused', 'panic: out of memory', 'error: disk quota exceeded', 'restarting (exit code 137)'],
  3: ['received SIGTERM', 'stopped'],
};

const keptLines = 40;

type ContainersGateway = Pick<GatewayCore, 'fork' | 'now' | 'event'>;

/** Containers of the gateway. Codes of `status`: 0 unsupported, 1 normal, 2 abnormal, 3 not enabled, 4 not used. */
export class Containers {
  readonly #gateway: ContainersGateway;
  readonly #random;
  readonly #all = new Map<string, Container>();
  readonly #base: 0 | 1 | 3 | 4;

  constructor(gateway: ContainersGateway, base: 0 | 1 | 2 | 3 | 4) {
    this.#gateway = gateway;
    this.#random = gateway.fork('containers');
    this.#base = base === 2 ? 1 : base;
    if (this.#base !== 1) return;
    for (const [name, image] of fittedContainers(this.#random)) this.#add(name, image, 1);
    if (base === 2) this.crash();
  }

  get status(): 0 | 1 | 2 | 3 | 4 {
    if (this.#base === 0 || this.#base === 3) return this.#base;
    const all = [...this.#all.values()];
    if (all.length === 0) return 4;
    return all.some((c) => c.st === 2) ? 2 : 1;
  }

  #add(name: string, image: string, st: State) {
    const container: Container = { name, image, st, log: [] };
    this.#all.set(name, container);
    this.#write(container);
    return container;
  }

  #write(container: Container, line = this.#random.pick(lines[container.st])) {
    const at = new Date(this.#gateway.now() * 1000).toISOString();
    container.log = [...container.log, `${at} ${line}`].slice(-keptLines);
  }

  #measure({ st }: Container) {
    return st === 1 ? { cpu: this.#random.int(1, 35), mem: this.#random.int(20, 400) * 1_048_576 } : { cpu: 0, mem: 0 };
  }

  /** The end of the log, limited to the message size. */
  #tail({ log }: Container, bytes: number) {
    return log.join('\n').slice(-bytes);
  }

  has(name: string): boolean {
    return this.#all.has(name);
  }

  info(name?: string): JsonObject[] {
    const matching = [...this.#all.values()].filter((c) => name === undefined || c.name === name);
    return matching.map((c) => {
      if (c.st === 1) this.#write(c);
      return { name: c.name, image: c.image, st: c.st, ...this.#measure(c), log: this.#tail(c, 2000) };
    });
  }

  logs(name?: string): string {
    const matching = [...this.#all.values()].filter((c) => name === undefined || c.name === name);
    return matching.map((c) => `== ${c.name} (${c.image})\n${c.log.join('\n')}\n`).join('\n');
  }

  #event(container: Container, more: JsonObject) {
    const { name, image, st } = container;
    this.#gateway.event('docker', { name, st, img: image, ...this.#measure(container), log: this.#tail(container, 500), ...more });
  }

  /** Returns false if the container is missing, or for an install, if it already exists. */
  act(name: string, act: ContainerAct, image?: string): boolean {
    const found = this.#all.get(name);
    if (act === 'install') {
      if (found) return false;
      this.#event(this.#add(name, image ?? `farlink/${name}:latest`, 1), { act, ok: true });
      return true;
    }
    if (!found) return false;
    if (act === 'uninstall') this.#all.delete(name);
    found.st = act === 'stop' || act === 'uninstall' ? 3 : 1;
    this.#write(found);
    this.#event(found, { act, ok: true });
    return true;
  }

  crash() {
    const victim = [...this.#all.values()].find((c) => c.st === 1);
    if (!victim) return;
    victim.st = 2;
    this.#write(victim);
    this.#event(victim, {});
  }

  /** A container crashes every few days and restarts after some time. */
  step() {
    if (this.#base !== 1) return;
    const broken = [...this.#all.values()].find((c) => c.st === 2);
    if (broken && this.#random.chance(0.05)) this.act(broken.name, 'restart');
    else if (this.#random.chance(0.0003)) this.crash();
  }
}
