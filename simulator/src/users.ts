import type { LoginRefusal } from '@farlink/gateway/protocol/account.ts';
import type { Accounts } from './accounts.ts';
import type { GatewayCore } from './gateway-core.ts';
import { bindingRefusal, checkLogin, type LoginAttempt } from './login-check.ts';
import { type Bytes, leaveReasonOf, noBytes, passTraffic, plus } from './quota.ts';
import type { LinkName } from './radio.ts';
import type { Random } from './random.ts';
import { type Leaving, macOf, normalMac, type Session } from './session.ts';

/** Billing mode in which only RADIUS authorises. */
const billingAaa = 2;

export interface UsersGateway extends Pick<GatewayCore, 'sn' | 'boot' | 'fork' | 'now' | 'event' | 'current'> {
  readonly accounts: Accounts;
  readonly bill: 0 | 1 | 2 | 3;
  readonly firmware: { readonly keepsAccounts: boolean };
  view(): { readonly uptime: number };
}

/** Traffic of an account over one link. */
export interface UserFlow extends Bytes {
  readonly acc: string;
  readonly link: LinkName;
  readonly via: Session['via'];
  /** Seconds online. */
  readonly s: number;
}

export type LoginResult = { readonly session: Session } | { readonly why: LoginRefusal };

type Terminal = Partial<Pick<Session, 'mac' | 'ip' | 'vlan' | 'browses'>>;

/** Few users stream video, most browse. */
const wantOf = (random: Random, seconds: number): Bytes => {
  const d = Math.floor(seconds * (random.chance(0.15) ? random.between(50_000, 300_000) : random.between(500, 20_000)));
  return { d, u: Math.floor(d * random.between(0.05, 0.25)) };
};

/** Sessions of subscribers: login, traffic within the limits of their accounts, and logout. */
export class Users {
  readonly #gateway: UsersGateway;
  readonly #random;
  readonly #sessions = new Map<string, Session>();
  readonly #flows = new Map<string, UserFlow>();
  /** Online seconds of each account are counted until this time. */
  readonly #counted = new Map<string, number>();
  readonly #browse: boolean;
  /** The last link, for online time without one. */
  #link: LinkName = '6d';
  #n = 0;
  #clock: { readonly now: number; readonly uptime: number } | undefined;

  /** `browse`: sessions of a real login have traffic of their own. */
  constructor(gateway: UsersGateway, browse = true) {
    this.#gateway = gateway;
    this.#random = gateway.fork('users');
    this.#browse = browse;
  }

  get online(): number {
    return this.#sessions.size;
  }

  /** Number of sessions since the start. */
  get opened(): number {
    return this.#n;
  }

  get sessions(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  #of(acc: string): Session[] {
    return this.sessions.filter((s) => s.acc === acc);
  }

  #macOf(acc: string) {
    return macOf(`${this.#gateway.sn} ${acc}`);
  }

  /** Opens a session without any check. */
  signIn(acc: string, { mac = this.#macOf(acc), ip, vlan, browses = true }: Terminal = {}): Session {
    const gateway = this.#gateway;
    const n = ++this.#n;
    const now = gateway.now();
    const session: Session = {
      ...{ sid: `${gateway.boot}-${n}`, acc, mac, vlan, browses, via: 'local', at: now, active: now, u: 0, d: 0 },
      ip: ip ?? `192.168.${10 + Math.floor(n / 240)}.${10 + (n % 240)}`,
      left: this.#random.int(5, 180),
    };
    if (!this.#counted.has(acc)) this.#counted.set(acc, now);
    this.#sessions.set(session.sid, session);
    gateway.accounts.use(acc, {}, now);
    gateway.event('user', { sid: session.sid, acc, in: true, mac, ip: session.ip, ...this.#viaOf(session) });
    return session;
  }

  /** Older gateways do not report who authorised a session. */
  #viaOf({ via }: Session) {
    return this.#gateway.firmware.keepsAccounts && { via };
  }

  /** Checks password, bindings, allowed logins and service against the stored accounts, also without the console. */
  async login(attempt: LoginAttempt, browses = this.#browse): Promise<LoginResult> {
    const gateway = this.#gateway;
    const { acc, ip, vlan } = attempt;
    const mac = attempt.mac === undefined ? undefined : normalMac(attempt.mac);
    const isLocal = gateway.firmware.keepsAccounts && gateway.bill !== billingAaa;
    const result = isLocal
      ? await checkLogin<Session>(gateway.accounts, attempt, {
          now: () => gateway.now(),
          open: () => this.#of(acc).length,
          admit: (entry) => this.signIn(acc, { mac: mac ?? entry.mac, ip: ip ?? entry.ip, vlan: vlan ?? entry.vl, browses }),
        })
      : 'unknown';
    if (typeof result !== 'string') return { session: result };
    this.refused(acc, result, mac);
    return { why: result };
  }

  signOut(sid: string, why: Leaving, at = this.#gateway.now()): boolean {
    const session = this.#sessions.get(sid);
    if (!session) return false;
    if (why !== 'lost') this.#followClock(at);
    const { acc, mac, ip, u, d } = session;
    this.#countSeconds(acc, at);
    this.#sessions.delete(sid);
    if (this.#of(acc).length === 0) this.#counted.delete(acc);
    this.#gateway.event('user', { sid, acc, in: false, mac, ip, u, d, why, ...this.#viaOf(session), t: at });
    return true;
  }

  refused(acc: string, why: string, mac = this.#macOf(acc)) {
    this.#gateway.event('auth', { acc, ok: false, why, mac });
  }

  signAllOut(why: Leaving) {
    for (const sid of [...this.#sessions.keys()]) this.signOut(sid, why);
  }

  /** A reboot ended all sessions. The time without power does not count. */
  rebooted() {
    const known = this.#clock?.now ?? 0;
    for (const { sid, at, active } of this.sessions) this.signOut(sid, 'lost', Math.max(known, at, active));
    this.#clock = undefined;
  }

  /** Sessions of an account at the same time count once. */
  #countSeconds(acc: string, now: number) {
    const seconds = Math.max(0, now - (this.#counted.get(acc) ?? now));
    this.#counted.set(acc, now);
    this.#gateway.accounts.use(acc, { seconds }, now);
    this.#link = this.#gateway.current ?? this.#link;
    const [session] = this.#of(acc);
    if (session && seconds > 0) this.#addFlow(session, noBytes, seconds, this.#link);
  }

  #addFlow({ acc, via }: Session, bytes: Bytes, seconds: number, link: LinkName) {
    const key = `${acc} ${link} ${via}`;
    const was = this.#flows.get(key);
    this.#flows.set(key, { acc, link, via, ...plus(was ?? noBytes, bytes), s: seconds + (was?.s ?? 0) });
  }

  /** Times of sessions move with a clock that is set. */
  #followClock(now: number) {
    const { uptime } = this.#gateway.view();
    const was = this.#clock;
    this.#clock = { now, uptime };
    const shift = was ? now - was.now - (uptime - was.uptime) : 0;
    if (Math.abs(shift) <= 2) return;
    for (const session of this.#sessions.values()) session.active += shift;
    for (const [acc, until] of this.#counted) this.#counted.set(acc, until + shift);
  }

  /** Counts time and ends sessions whose service is over or that are idle. */
  enforce() {
    const now = this.#gateway.now();
    this.#followClock(now);
    for (const acc of this.#counted.keys()) this.#countSeconds(acc, now);
    for (const session of this.sessions) {
      if (this.#endWithoutService(session, now)) continue;
      const idle = this.#gateway.accounts.get(session.acc, now)?.entry.id;
      if (idle !== undefined && now - session.active >= idle) this.signOut(session.sid, 'idle');
    }
  }

  #endWithoutService(session: Session, now: number): boolean {
    const { accounts } = this.#gateway;
    const service = accounts.service(session.acc, now);
    const account = accounts.get(session.acc, now);
    if (service?.mode !== 'stop' || !account) return false;
    return this.signOut(session.sid, leaveReasonOf(service.reason, account));
  }

  /** The console changed or removed these accounts: sessions that are no longer allowed end at once. */
  review(changed: readonly string[]) {
    const names = new Set(changed);
    const now = this.#gateway.now();
    const { accounts } = this.#gateway;
    const open = new Map<string, number>();
    for (const session of this.sessions.filter((s) => names.has(s.acc))) {
      const account = accounts.get(session.acc, now);
      const count = (open.get(session.acc) ?? 0) + 1;
      // The oldest sessions stay.
      const isAllowed = account && count <= account.entry.al && !bindingRefusal(account.entry, session);
      if (!isAllowed) this.signOut(session.sid, 'kick');
      else if (!this.#endWithoutService(session, now)) open.set(session.acc, count);
    }
  }

  #record(session: Session, { u, d }: Bytes, now: number, link: LinkName) {
    if (u + d === 0) return;
    session.u += u;
    session.d += d;
    session.active = now;
    this.#addFlow(session, { u, d }, 0, link);
  }

  /** Traffic of all sessions in this time, limited by their accounts and the link rate. */
  browse(seconds: number, rate: number) {
    const { accounts, current } = this.#gateway;
    const now = this.#gateway.now();
    const wants = this.sessions.filter((s) => s.browses).map((session) => ({ session, want: wantOf(this.#random, seconds) }));
    const asked = wants.reduce((sum, { want }) => sum + want.u + want.d, 0);
    const share = Math.min(1, (rate * seconds) / Math.max(1, asked));
    if (current === undefined) return;
    for (const { session, want } of wants) {
      const part = { u: Math.floor(want.u * share), d: Math.floor(want.d * share) };
      this.#record(session, passTraffic(accounts, session.acc, part, now, seconds), now, current);
      this.#endWithoutService(session, now);
    }
  }

  /** Transfers these bytes in a session of an account at once, as far as its quota allows. Undefined: no session. */
  transfer(acc: string, wanted: Bytes): Bytes | undefined {
    const { accounts, current } = this.#gateway;
    const now = this.#gateway.now();
    const [first, ...others] = this.#of(acc);
    if (!first) return undefined;
    if (current === undefined) return noBytes;
    const passed = passTraffic(accounts, acc, wanted, now);
    this.#record(first, passed, now, current);
    for (const session of [first, ...others]) this.#endWithoutService(session, now);
    return passed;
  }

  /** Traffic of each account and link since the last call. */
  takeFlows(): UserFlow[] {
    const flows = [...this.#flows.values()];
    this.#flows.clear();
    return flows;
  }
}
