import type { EndReason } from './end-reason.ts';
import { bindingRefusal, checkLogin, type LoginAttempt } from './login-check.ts';
import { type Bytes, endReasonOf, noBytes, passTraffic } from './quota.ts';
import type { LinkName } from './radio.ts';
import { grantEnd, passGrant } from './radius/grant.ts';
import { macOf, normalMac, type Session } from './session.ts';
import { demandOf, type UserFlow, UserFlows } from './user-flows.ts';
import type { LoginResult, Terminal, UsersGateway, UsersOptions } from './users-gateway.ts';

/** Billing modes with RADIUS: for all accounts, or for those that are not stored. */
const billingAaa = 2;
const billingMixed = 3;

/** Sessions of an account with the same authoriser are counted together. */
const counterOf = ({ acc, via }: Session) => `${acc} ${via}`;

/** Sessions of subscribers: login, traffic within the limits of their accounts, and logout. */
export class Users {
  readonly #gateway: UsersGateway;
  readonly #random;
  readonly #sessions = new Map<string, Session>();
  readonly #flows = new UserFlows();
  /** Online seconds of each account are counted until this time. */
  readonly #countedUntil = new Map<string, number>();
  readonly #o: UsersOptions;
  /** The last link, for online time without one. */
  #link: LinkName = '6d';
  #n = 0;
  #clock: { readonly now: number; readonly uptime: number } | undefined;

  constructor(gateway: UsersGateway, options: UsersOptions) {
    this.#gateway = gateway;
    this.#random = gateway.fork('users');
    this.#o = options;
  }

  get online(): number {
    return this.#sessions.size;
  }

  /** Number of sessions and RADIUS logins since the start. */
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

  #newSid() {
    return `${this.#gateway.boot}-${++this.#n}`;
  }

  /** Opens a session without any check. */
  signIn(acc: string, { sid = this.#newSid(), mac = this.#macOf(acc), ip, vlan, browses = true, grant }: Terminal = {}): Session {
    const gateway = this.#gateway;
    const n = Number(sid.split('-')[1]);
    const now = gateway.now();
    const session: Session = {
      sid,
      acc,
      mac,
      vlan,
      browses,
      grant,
      via: grant ? 'aaa' : 'local',
      at: now,
      active: now,
      u: 0,
      d: 0,
      ip: ip ?? `192.168.${10 + (Math.floor(n / 240) % 240)}.${10 + (n % 240)}`,
      startUptime: gateway.view().uptime,
      left: this.#random.int(5, 180),
    };
    if (!this.#countedUntil.has(counterOf(session))) this.#countedUntil.set(counterOf(session), now);
    this.#sessions.set(sid, session);
    if (!grant) gateway.accounts.use(acc, {}, now);
    gateway.event('user', { sid, acc, in: true, mac, ip: session.ip, ...this.#viaOf(session) });
    gateway.world.audit.login(session);
    if (grant) this.#o.radius().started(session);
    return session;
  }

  /** Older gateways do not report who authorised a session. */
  #viaOf({ via }: Session) {
    return this.#gateway.firmware.storesAccounts && { via };
  }

  /** RADIUS authorises here, and the console has sent its access. */
  get hasRadius(): boolean {
    const { bill, firmware } = this.#gateway;
    return firmware.storesAccounts && (bill === billingAaa || bill === billingMixed) && this.#o.radius().isReady;
  }

  /** Checks a login against the stored accounts, also without the console, or by RADIUS. */
  async login(attempt: LoginAttempt, browses = this.#o.browse): Promise<LoginResult> {
    const gateway = this.#gateway;
    const { acc, ip, vlan } = attempt;
    const mac = attempt.mac === undefined ? undefined : normalMac(attempt.mac);
    const isStored = gateway.bill !== billingAaa && (gateway.bill !== billingMixed || gateway.accounts.has(acc));
    if (!isStored && this.hasRadius) return this.#radiusLogin({ ...attempt, mac }, browses);
    const result =
      isStored && gateway.firmware.storesAccounts
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

  /** A terminal without a fixed address gets the one of the Accept or of the gateway. */
  async #radiusLogin({ acc, password, ip, vlan, mac = this.#macOf(acc) }: LoginAttempt, browses: boolean): Promise<LoginResult> {
    const { boot } = this.#gateway;
    const sid = this.#newSid();
    const result = await this.#o.radius().login({ acc, sid, mac, ip, vlan }, password);
    const isSameBoot = boot === this.#gateway.boot;
    if ('grant' in result && isSameBoot) {
      const { grant } = result;
      return { session: this.signIn(acc, { sid, mac, ip: ip ?? grant.ip, vlan, browses, grant }) };
    }
    const { why, hasReply } = 'why' in result ? result : { why: 'unknown' as const, hasReply: false };
    this.refused(acc, why, mac, hasReply ? 'aaa' : undefined);
    return { why };
  }

  /** `uptime` is that of the end; the gateway may have had no power since. */
  signOut(sid: string, why: EndReason, at = this.#gateway.now(), uptime = this.#gateway.view().uptime): boolean {
    const session = this.#sessions.get(sid);
    if (!session) return false;
    if (why !== 'lost') this.#followClock(at);
    const { acc, mac, ip, u, d, grant } = session;
    this.#countSeconds(session, at);
    this.#sessions.delete(sid);
    if (!this.#of(acc).some(({ via }) => via === session.via)) this.#countedUntil.delete(counterOf(session));
    this.#gateway.event('user', { sid, acc, in: false, mac, ip, u, d, why, ...this.#viaOf(session), t: at });
    this.#gateway.world.audit.logout(session, at);
    const seconds = Math.max(0, uptime - session.startUptime);
    if (grant) this.#o.radius().stopped(session, why, { seconds, ago: Math.max(0, this.#gateway.now() - at) });
    return true;
  }

  /** `via` if RADIUS rejected it, because the console knows that already. */
  refused(acc: string, why: string, mac = this.#macOf(acc), via?: 'aaa') {
    this.#gateway.event('auth', { acc, ok: false, why, mac, ...(via && { via }) });
  }

  signAllOut(why: EndReason) {
    for (const sid of [...this.#sessions.keys()]) this.signOut(sid, why);
  }

  /** A reboot ended all sessions. The time without power does not count. */
  rebooted() {
    const { now = 0, uptime = 0 } = this.#clock ?? {};
    for (const { sid, at, active } of this.sessions) this.signOut(sid, 'lost', Math.max(now, at, active), uptime);
    this.#clock = undefined;
  }

  /** Sessions of an account at the same time count once. */
  #countSeconds(session: Session, now: number) {
    const counter = counterOf(session);
    const seconds = Math.max(0, now - (this.#countedUntil.get(counter) ?? now));
    this.#countedUntil.set(counter, now);
    if (!session.grant) this.#gateway.accounts.use(session.acc, { seconds }, now);
    this.#link = this.#gateway.current ?? this.#link;
    if (seconds > 0) this.#flows.add(session, noBytes, seconds, this.#link);
  }

  /** Times of sessions move with a clock that is set. */
  #followClock(now: number) {
    const { uptime } = this.#gateway.view();
    const was = this.#clock;
    this.#clock = { now, uptime };
    const shift = was ? now - was.now - (uptime - was.uptime) : 0;
    if (Math.abs(shift) <= 2) return;
    for (const session of this.#sessions.values()) session.active += shift;
    for (const [counter, until] of this.#countedUntil) this.#countedUntil.set(counter, until + shift);
  }

  /** Counts time and ends sessions whose service is over or that are idle. */
  enforce() {
    const now = this.#gateway.now();
    this.#followClock(now);
    for (const session of this.sessions) this.#countSeconds(session, now);
    for (const session of this.sessions) {
      if (this.#endWithoutService(session, now)) continue;
      const idle = this.idleOf(session);
      if (idle !== undefined && now - session.active >= idle) this.signOut(session.sid, 'idle');
    }
    if (this.hasRadius) this.#o.radius().step((session) => this.#ageOf(session));
  }

  /** Seconds without traffic that end a session. */
  idleOf({ acc, grant }: Session): number | undefined {
    return grant ? grant.idle : this.#gateway.accounts.get(acc, this.#gateway.now())?.entry.id;
  }

  #ageOf({ startUptime }: Session): number {
    return this.#gateway.view().uptime - startUptime;
  }

  #endWithoutService(session: Session, now: number): boolean {
    const { accounts } = this.#gateway;
    if (session.grant) {
      const why = grantEnd(session.grant, session.u + session.d, this.#ageOf(session));
      return why !== undefined && this.signOut(session.sid, why);
    }
    const service = accounts.service(session.acc, now);
    const account = accounts.get(session.acc, now);
    if (service?.mode !== 'stop' || !account) return false;
    return this.signOut(session.sid, endReasonOf(service.reason, account));
  }

  /** The console changed or removed these accounts: sessions that are no longer allowed end at once. */
  review(changed: readonly string[]) {
    const names = new Set(changed);
    const now = this.#gateway.now();
    const { accounts } = this.#gateway;
    const open = new Map<string, number>();
    for (const session of this.sessions.filter((s) => !s.grant && names.has(s.acc))) {
      const account = accounts.get(session.acc, now);
      const count = (open.get(session.acc) ?? 0) + 1;
      // The oldest sessions stay.
      const isAllowed = account && count <= account.entry.al && !bindingRefusal(account.entry, session);
      if (!isAllowed) this.signOut(session.sid, 'kick');
      else if (!this.#endWithoutService(session, now)) open.set(session.acc, count);
    }
  }

  /** RADIUS changed the limits of a session. */
  limitsChanged(session: Session) {
    this.#endWithoutService(session, this.#gateway.now());
  }

  /** Traffic that the limits of a session allow. */
  #pass({ acc, grant, u, d }: Session, requested: Bytes, now: number, seconds?: number): Bytes {
    return grant ? passGrant(grant, u + d, requested, seconds) : passTraffic(this.#gateway.accounts, acc, requested, now, seconds);
  }

  #record(session: Session, { u, d }: Bytes, now: number, link: LinkName) {
    if (u + d === 0) return;
    session.u += u;
    session.d += d;
    session.active = now;
    this.#flows.add(session, { u, d }, 0, link);
  }

  /** Traffic of all sessions in this time, limited by their accounts and the link rate. */
  browse(seconds: number, rate: number) {
    const { current } = this.#gateway;
    const now = this.#gateway.now();
    const demands = this.sessions.filter((s) => s.browses).map((session) => ({ session, demand: demandOf(this.#random, seconds) }));
    const total = demands.reduce((sum, { demand }) => sum + demand.u + demand.d, 0);
    const share = Math.min(1, (rate * seconds) / Math.max(1, total));
    if (current === undefined) return;
    for (const { session, demand } of demands) {
      const limited = { u: Math.floor(demand.u * share), d: Math.floor(demand.d * share) };
      this.#record(session, this.#pass(session, limited, now, seconds), now, current);
      this.#endWithoutService(session, now);
    }
  }

  /** Transfers these bytes in a session of an account at once, as far as its quota allows. Undefined: no session. */
  transfer(acc: string, requested: Bytes): Bytes | undefined {
    const { current } = this.#gateway;
    const now = this.#gateway.now();
    const [first, ...others] = this.#of(acc);
    if (!first) return undefined;
    if (current === undefined) return noBytes;
    const passed = this.#pass(first, requested, now);
    this.#record(first, passed, now, current);
    for (const session of [first, ...others]) this.#endWithoutService(session, now);
    return passed;
  }

  /** Traffic of each account and link since the last call. */
  takeFlows(): UserFlow[] {
    return this.#flows.take();
  }
}
