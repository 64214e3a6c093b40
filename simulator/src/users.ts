import type { GatewayCore } from './gateway-core.ts';
import { seedOf } from './random.ts';

interface Session {
  readonly sid: string;
  readonly acc: string;
  readonly mac: string;
  readonly ip: string;
  /** Start time. */
  readonly at: number;
  /** Bytes of the session. */
  u: number;
  d: number;
  /** Remaining steps. */
  left: number;
}

export type Leaving = 'user' | 'kick' | 'idle' | 'quota' | 'lost';

const octet = (n: number) => (n & 255).toString(16).padStart(2, '0');
/** MAC address derived from a name. The second bit of the first byte marks it as locally administered. */
export const macOf = (name: string): string => {
  const [a, b] = [seedOf(name, 1), seedOf(name, 2)];
  return ['02', octet(a), octet(a >> 8), octet(a >> 16), octet(b), octet(b >> 8)].join(':');
};

/** Share of the accounts online by hour: night, work, evening. */
const shareAt = (hour: number) => (hour < 6 ? 0.08 : hour < 17 ? 0.25 : hour < 23 ? 0.6 : 0.3);

type UsersGateway = Pick<GatewayCore, 'sn' | 'boot' | 'fork' | 'now' | 'event'>;

/** Subscribers: they log in by time of day, browse, and log out or are disconnected. */
export class Users {
  readonly #gateway: UsersGateway;
  readonly #random;
  readonly #sessions = new Map<string, Session>();
  readonly #flows = new Map<string, { u: number; d: number }>();
  #accounts: readonly string[];
  #n = 0;

  constructor(gateway: UsersGateway, accounts: readonly string[]) {
    this.#gateway = gateway;
    this.#random = gateway.fork('users');
    this.#accounts = accounts;
  }

  get online(): number {
    return this.#sessions.size;
  }

  /** Accounts that can log in here. */
  get accounts(): readonly string[] {
    return this.#accounts;
  }

  get sessions(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  signIn(acc: string): Session {
    const n = ++this.#n;
    const session = {
      sid: `${this.#gateway.boot}-${n}`,
      acc,
      mac: macOf(`${this.#gateway.sn} ${acc}`),
      ip: `192.168.${10 + Math.floor(n / 240)}.${10 + (n % 240)}`,
      at: this.#gateway.now(),
      u: 0,
      d: 0,
      left: this.#random.int(5, 180),
    };
    this.#sessions.set(session.sid, session);
    const { sid, mac, ip } = session;
    this.#gateway.event('user', { sid, acc, in: true, mac, ip });
    return session;
  }

  signOut(sid: string, why: Leaving): boolean {
    const session = this.#sessions.get(sid);
    if (!session) return false;
    this.#sessions.delete(sid);
    const { acc, mac, ip, u, d } = session;
    this.#gateway.event('user', { sid, acc, in: false, mac, ip, u, d, why });
    return true;
  }

  refused(acc: string, why: string) {
    this.#gateway.event('auth', { acc, ok: false, why, mac: macOf(`${this.#gateway.sn} ${acc}`) });
  }

  signAllOut(why: Leaving) {
    for (const sid of [...this.#sessions.keys()]) this.signOut(sid, why);
  }

  /** After a transfer the accounts of the old owner are removed. */
  forget() {
    this.signAllOut('lost');
    this.#accounts = [];
  }

  /** Logins and logouts by local hour. */
  live(hour: number) {
    const random = this.#random;
    for (const s of this.sessions) if (--s.left <= 0) this.signOut(s.sid, random.chance(0.7) ? 'user' : 'idle');
    const away = this.#accounts.length - this.#sessions.size;
    const wanted = Math.round(this.#accounts.length * shareAt(hour)) - this.#sessions.size;
    if (away <= 0 || wanted <= 0) return;
    // Slowly, except in the first step after the start.
    for (let n = this.#n === 0 ? wanted : random.chance(0.3) ? 1 : 0; n > 0; n--) this.#arrive();
  }

  #arrive() {
    const random = this.#random;
    const here = new Set(this.sessions.map((s) => s.acc));
    const outside = this.#accounts.filter((acc) => !here.has(acc));
    const acc = outside[random.int(0, outside.length - 1)];
    if (acc === undefined) return;
    if (random.chance(0.1)) this.refused(acc, random.pick(['password', 'expired', 'too many logins']));
    else this.signIn(acc);
  }

  /** Traffic of all sessions in this time, limited by the link rate. */
  browse(seconds: number, rate: number): { u: number; d: number } {
    const wants = this.sessions.map((session) => {
      // Few users stream video, most browse.
      const d = Math.floor(
        seconds * (this.#random.chance(0.15) ? this.#random.between(50_000, 300_000) : this.#random.between(500, 20_000)),
      );
      return { session, d, u: Math.floor(d * this.#random.between(0.05, 0.25)) };
    });
    const asked = wants.reduce((sum, w) => sum + w.u + w.d, 0);
    const share = Math.min(1, (rate * seconds) / Math.max(1, asked));
    const total = { u: 0, d: 0 };
    for (const { session, ...want } of wants) {
      const [u, d] = [Math.floor(want.u * share), Math.floor(want.d * share)];
      session.u += u;
      session.d += d;
      const flow = this.#flows.get(session.acc) ?? { u: 0, d: 0 };
      this.#flows.set(session.acc, { u: flow.u + u, d: flow.d + d });
      total.u += u;
      total.d += d;
    }
    return total;
  }

  /** Traffic of each account since the last call. */
  takeFlows(): (string | number)[][] {
    const rows = [...this.#flows].filter(([, { u, d }]) => u + d > 0).map(([acc, { u, d }]) => [acc, u, d]);
    this.#flows.clear();
    return rows;
  }
}
