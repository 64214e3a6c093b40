import type { LoginRefusal } from '@farlink/gateway/protocol/account.ts';
import type { TempReleasePurpose } from '@farlink/gateway/protocol/temp-release.ts';
import type { Accounts } from './accounts.ts';
import type { GatewayCore } from './gateway-core.ts';
import { Phone } from './portal/phone.ts';
import { macOf, type Session } from './session.ts';
import type { Users } from './users.ts';

/** Share of the accounts online by hour: night, work, evening. */
const shareAt = (hour: number) => (hour < 6 ? 0.08 : hour < 17 ? 0.25 : hour < 23 ? 0.6 : 0.3);

/** Steps until a rejected person tries again. */
const pause = 15;

/** Refusals after which a person needs a release: no service, or no account yet. */
const withoutAccess: ReadonlySet<LoginRefusal> = new Set(['unknown', 'disabled', 'frozen', 'expired', 'no_package', 'shutdown']);

/** Share of the people without access who ask for a temporary release. Some of them pay. */
const releaseShare = 0.4;
const paysShare = 0.5;

/** Share of the logins that use the portal, if the gateway serves one. */
const portalShare = 0.5;
/** Share of the people who open the quota page after the login. */
const quotaShare = 0.3;

interface PeopleGateway extends Pick<GatewayCore, 'fork' | 'sn' | 'now'> {
  readonly portal: { readonly served: object | undefined };
  readonly portalServer: { readonly port: number | undefined; readonly origin: string };
  requestTempRelease(mac: string, purpose: TempReleasePurpose): unknown;
  readonly accounts: Accounts;
  readonly users: Users;
}

/** Simulated subscribers on board: they log in by time of day, and log out or stop browsing. */
export class People {
  readonly #gateway: PeopleGateway;
  readonly #random;
  readonly #passwords: Map<string, string>;
  /** Accounts that log in while the gateway has none of the console. */
  names: readonly string[];
  /** Step from which a rejected person tries again. */
  readonly #again = new Map<string, number>();
  #step = 0;

  constructor(gateway: PeopleGateway, names: readonly string[], passwords: Readonly<Record<string, string>>) {
    this.#gateway = gateway;
    this.#random = gateway.fork('people');
    this.names = names;
    this.#passwords = new Map(Object.entries(passwords));
  }

  /** After a transfer the accounts of the old owner are removed. */
  forget() {
    this.#gateway.users.signAllOut('lost');
    this.#gateway.accounts.forget();
    this.names = [];
  }

  /** All accounts are lost, as after a factory reset. */
  loseAccounts() {
    const { accounts, users } = this.#gateway;
    const names = users.sessions.map((s) => s.acc).filter((name) => accounts.has(name));
    accounts.forget();
    users.review(names);
  }

  /** These people know their password from now on. */
  learn(passwords: Readonly<Record<string, string>>) {
    for (const [name, password] of Object.entries(passwords)) this.#passwords.set(name, password);
  }

  /** People who can log in here: with stored accounts or RADIUS, those who know their password. */
  #present(): readonly string[] {
    const { accounts, users } = this.#gateway;
    if (users.hasRadius) return [...this.#passwords.keys()];
    return accounts.isEmpty ? this.names : [...this.#passwords.keys()].filter((name) => accounts.has(name));
  }

  /** Logins and logouts by local hour. */
  live(hour: number) {
    const { users } = this.#gateway;
    const random = this.#random;
    this.#step++;
    for (const session of users.sessions) if (--session.left <= 0) this.#logOut(session);
    const present = this.#present();
    const missing = Math.round(present.length * shareAt(hour)) - users.online;
    if (missing <= 0) return;
    // Slowly, except in the first step after the start.
    for (let n = users.opened === 0 ? missing : random.chance(0.3) ? 1 : 0; n > 0; n--) this.#arrive(present);
  }

  /** Some people stop browsing without a logout; the idle timeout of the account ends their session. */
  #logOut(session: Session) {
    const { accounts, users } = this.#gateway;
    const isChecked = session.grant !== undefined || accounts.has(session.acc);
    const goesIdle = !this.#random.chance(0.7);
    if (users.idleOf(session) !== undefined && (goesIdle || !session.browses)) session.browses = false;
    else users.signOut(session.sid, goesIdle && !isChecked ? 'idle' : 'user');
  }

  #arrive(present: readonly string[]) {
    const { accounts, users } = this.#gateway;
    const random = this.#random;
    const here = new Set(users.sessions.map((s) => s.acc));
    const outside = present.filter((acc) => !here.has(acc) && (this.#again.get(acc) ?? 0) <= this.#step);
    const acc = outside[random.int(0, outside.length - 1)];
    if (acc === undefined) return;
    if (!accounts.isEmpty || users.hasRadius) void this.#login(acc);
    // People who know their password wait until the gateway can check it.
    else if (this.#passwords.size > 0) return;
    else if (random.chance(0.1)) {
      users.refused(acc, random.pick(['password', 'expired', 'too many logins']));
      this.#requestTempRelease(acc);
    } else users.signIn(acc);
  }

  async #login(acc: string) {
    const password = this.#random.chance(0.05) ? 'wrong password' : (this.#passwords.get(acc) ?? '');
    // Until the result is known, this person does not try again.
    this.#again.set(acc, Number.POSITIVE_INFINITY);
    const result = this.#usesPortal() ? await this.#portalLogin(acc, password) : await this.#gateway.users.login({ acc, password });
    this.#again.set(acc, 'why' in result ? this.#step + pause : 0);
    if ('why' in result && withoutAccess.has(result.why)) this.#requestTempRelease(acc);
  }

  #usesPortal(): boolean {
    const { portal, portalServer } = this.#gateway;
    return portal.served !== undefined && portalServer.port !== undefined && this.#random.chance(portalShare);
  }

  /** The phone finds no internet, opens the portal and logs in there. */
  async #portalLogin(acc: string, password: string): Promise<{ readonly why: LoginRefusal } | { readonly ok: true }> {
    const { accounts, sn, portalServer } = this.#gateway;
    const random = this.#random;
    const system = random.int(0, 7);
    const opensQuota = random.chance(quotaShare);
    const phone = new Phone(portalServer.origin, accounts.get(acc, this.#gateway.now())?.entry.mac ?? macOf(`${sn} ${acc}`));
    try {
      if (await phone.hasAccess(system)) return { ok: true };
      const { why } = await phone.login(acc, password);
      if (why === undefined && opensQuota) await phone.showQuota();
      return why === undefined ? { ok: true } : { why };
    } catch {
      // The gateway stopped meanwhile.
      return { why: 'unknown' };
    }
  }

  /** Some people without access ask for a temporary release. */
  #requestTempRelease(acc: string) {
    const random = this.#random;
    if (!random.chance(releaseShare)) return;
    this.#gateway.requestTempRelease(macOf(`${this.#gateway.sn} ${acc}`), random.chance(paysShare) ? 'pay' : 'user');
  }
}
