import { epochMs, type Range } from './client-calls.ts';
import { type GatewayOwner, type Kind, LeanGateway } from './lean-gateway.ts';

const connectTimeoutMs = 30_000;
/** Reconnect delay after a failure: around 0.5 s at first, doubled up to 8 s. */
const delayMs = (failures: number) => Math.min(8000, 250 * 2 ** failures) * (0.5 + Math.random());
/** Delay after a lost connection. */
const firstDelayMs = () => 200 * Math.random();
/** Gateways that are tried for one message before it waits. */
const tries = 200;

const randomOf = <T>(values: readonly T[]): T | undefined => values[Math.floor(Math.random() * values.length)];

export type Acknowledged = (kind: Kind, i: number, n: number, dueAt: number) => void;

/** The gateways of one client process: connects them, and reconnects lost ones. */
export class Fleet implements GatewayOwner {
  ports: readonly number[] = [];
  /** Appended to the user names, if it is not empty. */
  domain = '';
  /** Maximum number of gateways that connect at a time; 0 stops connecting. */
  atOnce = 0;
  online = 0;
  errors: Record<string, number> = {};
  /** Epoch ms at which gateways came online. */
  readyAt: number[] = [];
  readonly gateways: readonly LeanGateway[];
  readonly #addresses: readonly string[];
  readonly #acknowledged: Acknowledged;
  /** Offline gateways with the time of their next attempt. */
  readonly #offline = new Map<LeanGateway, number>();
  /** Gateways that are connecting, and since when. */
  readonly #connecting = new Map<LeanGateway, number>();
  #nextSender = 0;
  #nextPing = 0;
  #pingsDue = 0;
  #keepAliveS = 300;
  #isFull = false;

  constructor({ first, count, addresses }: Range, acknowledged: Acknowledged) {
    this.#addresses = addresses;
    this.#acknowledged = acknowledged;
    this.gateways = Array.from({ length: count }, (_, k) => new LeanGateway(this, first + k));
    for (const gateway of this.gateways) this.#offline.set(gateway, 0);
  }

  get connecting(): number {
    return this.#connecting.size;
  }

  /** Drops the gateways that are not online, because the servers have no capacity for them. */
  dropOffline() {
    this.#isFull = true;
    for (const gateway of this.#connecting.keys()) gateway.cut('dropped');
    this.#offline.clear();
  }

  /** Cuts all connections. They reconnect at once to their first port, if connecting is on. */
  cut() {
    this.readyAt = [];
    for (const gateway of this.gateways) {
      gateway.failures = 0;
      if (gateway.state !== 'offline') gateway.cut('cut');
      else if (!this.#isFull) this.#offline.set(gateway, 0);
    }
  }

  /** After a failure any port but the last one, as behind a balancer. */
  #portOf(gateway: LeanGateway): number | undefined {
    if (gateway.failures === 0) return this.ports[gateway.i % this.ports.length];
    return randomOf(this.ports.filter((port) => port !== gateway.port)) ?? gateway.port;
  }

  /** Starts due connections; call it every few ms. */
  pump() {
    const now = epochMs();
    for (const [gateway, since] of this.#connecting) if (now - since > connectTimeoutMs) gateway.cut('no CONNACK within 30 s');
    for (const [gateway, at] of this.#offline) {
      if (this.#connecting.size >= this.atOnce) return;
      if (at > now) continue;
      const port = this.#portOf(gateway);
      const address = this.#addresses[gateway.i % this.#addresses.length];
      if (port === undefined || address === undefined) return;
      this.#offline.delete(gateway);
      this.#connecting.set(gateway, now);
      gateway.connect(port, address, this.domain);
    }
  }

  /** Pings, so that each gateway sends one in its keep-alive interval. */
  ping(seconds: number) {
    this.#pingsDue += (this.online * seconds) / this.#keepAliveS;
    for (; this.#pingsDue >= 1; this.#pingsDue--) {
      this.#nextPing = (this.#nextPing + 1) % this.gateways.length;
      const gateway = this.gateways[this.#nextPing];
      if (gateway?.state === 'online') gateway.ping();
    }
  }

  /** Sends a message from the next gateway in turn; false if none can send. */
  send(kind: Kind, dueAt: number): boolean {
    for (let left = Math.min(tries, this.gateways.length); left > 0; left--) {
      this.#nextSender = (this.#nextSender + 1) % this.gateways.length;
      const gateway = this.gateways[this.#nextSender];
      if (!gateway?.canSend) continue;
      gateway.send(kind, dueAt);
      return true;
    }
    return false;
  }

  opened(gateway: LeanGateway) {
    this.#connecting.delete(gateway);
    this.#keepAliveS = gateway.keepAliveS;
    this.online++;
    this.readyAt.push(epochMs());
  }

  acknowledged(gateway: LeanGateway, kind: Kind, n: number, dueAt: number) {
    this.#acknowledged(kind, gateway.i, n, dueAt);
  }

  refused(reason: string) {
    this.errors[reason] = (this.errors[reason] ?? 0) + 1;
  }

  ended(gateway: LeanGateway, wasOnline: boolean, reason: string) {
    if (wasOnline) this.online--;
    this.#connecting.delete(gateway);
    if (reason === 'dropped') return;
    if (reason === 'cut') return void this.#offline.set(gateway, 0);
    this.refused(wasOnline ? `lost: ${reason}` : reason);
    gateway.failures++;
    this.#offline.set(gateway, epochMs() + (wasOnline ? firstDelayMs() : delayMs(gateway.failures)));
  }
}
