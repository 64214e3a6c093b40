import { DangerList, type DangerListVersion, type DownDanger } from '@farlink/gateway/protocol/danger-list.ts';
import type { GatewayCore } from './gateway-core.ts';
import { apps } from './pages/apps.ts';
import type { Session } from './session.ts';

interface DangerGateway extends Pick<GatewayCore, 'fork' | 'now' | 'event' | 'current'> {
  readonly users: { readonly sessions: readonly Session[] };
}

/** Websites that some people on board open. The demo list has most of them. */
export const riskyHosts = [
  'www.lucky-casino.example',
  'm.lucky-casino.example',
  'bet.golden-dice.example',
  'login.prize-claim.example',
  'pay.refund-center.example',
  'cdn.free-stream.example',
  'update.flash-player.example',
  '8.222.14.90',
] as const;

/** Visits of a session per hour, and the share of them that goes to a risky website. */
const visitsPerHour = 12;
const riskyShare = 0.05;

/** Seconds between two reports of hits; visits to a website in between are one event. */
const reportEvery = 60;

/** Dangerous websites: the list of the console, blocked visits and their reports. It works without the console, by the last list. */
export class DangerSites {
  readonly #gateway: DangerGateway;
  #list: DangerList | undefined;
  readonly #hits = new Map<string, number>();
  #reportedAt = 0;

  constructor(gateway: DangerGateway) {
    this.#gateway = gateway;
  }

  get summary(): DangerListVersion {
    return (this.#list ?? new DangerList()).version;
  }

  apply(page: DownDanger): DangerListVersion {
    this.#list ??= new DangerList();
    return this.#list.take(page);
  }

  /** The list is lost, as after a factory reset. */
  forget() {
    this.#list = undefined;
  }

  /** A person on board opens a website. Returns whether it was blocked. */
  visit(host: string): boolean {
    const hash = this.#list?.blockedBy(host);
    if (hash === undefined) return false;
    this.#hits.set(hash, (this.#hits.get(hash) ?? 0) + 1);
    return true;
  }

  /** Reports the blocked visits since the last report. */
  report() {
    for (const [site, n] of this.#hits) this.#gateway.event('danger', { site, n });
    this.#hits.clear();
    this.#reportedAt = this.#gateway.now();
  }

  /** People browse for these seconds, and hits are reported once a minute. */
  step(browseSeconds: number) {
    const { users, current } = this.#gateway;
    const now = this.#gateway.now();
    const random = this.#gateway.fork(`danger ${now}`);
    for (const session of current === undefined || browseSeconds === 0 ? [] : users.sessions)
      if (session.browses && random.chance(Math.min(1, (visitsPerHour * browseSeconds) / 3600)))
        this.visit(random.chance(riskyShare) ? random.pick(riskyHosts) : random.pick(apps).host);
    if (this.#hits.size > 0 && Math.abs(now - this.#reportedAt) >= reportEvery) this.report();
  }
}
