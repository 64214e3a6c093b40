/** Failed logins of a terminal until it must wait, and the seconds that they count. */
const maxFailures = 5;
const windowS = 300;
/** Terminals that are remembered. A flood of random MAC addresses removes the oldest. */
const mostTerminals = 1000;

/** Limits the logins of each terminal, because a gateway shows no captcha. */
export class LoginLimit {
  readonly #failures = new Map<string, { count: number; readonly since: number }>();

  #of(mac: string, now: number) {
    const found = this.#failures.get(mac);
    if (found && now - found.since < windowS && now >= found.since) return found;
    this.#failures.delete(mac);
    return undefined;
  }

  /** Seconds until the terminal may try again; 0: now. */
  wait(mac: string, now: number): number {
    const found = this.#of(mac, now);
    return found && found.count >= maxFailures ? found.since + windowS - now : 0;
  }

  failed(mac: string, now: number) {
    const found = this.#of(mac, now);
    if (found) found.count++;
    else this.#failures.set(mac, { count: 1, since: now });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > mostTerminals && oldest !== undefined) this.#failures.delete(oldest);
  }

  passed(mac: string) {
    this.#failures.delete(mac);
  }
}
