import { type Lang, say } from '@farlink/contract/kit/text.ts';
import type { LoginRefusal } from '@farlink/gateway/protocol/account.ts';
import { refusalTexts } from '@farlink/portal/refusals.ts';
import { probePaths } from './captive-probes.ts';

const timeoutMs = 20_000;

const isRefusal = (reason: string): reason is LoginRefusal => Object.hasOwn(refusalTexts, reason);

/** Reason that a page shows. */
const refusalIn = (html: string, lang: Lang): LoginRefusal | undefined =>
  Object.keys(refusalTexts).find((reason): reason is LoginRefusal => isRefusal(reason) && html.includes(say(refusalTexts[reason], lang)));

/** A phone in the network of a gateway: it probes the internet, opens the portal and logs in, without cookies. */
export class Phone {
  readonly #origin: string;
  readonly #mac: string;
  readonly #lang: Lang;

  constructor(origin: string, mac: string, lang: Lang = 'zh') {
    this.#origin = origin;
    this.#mac = mac;
    this.#lang = lang;
  }

  async #request(path: string, form?: Readonly<Record<string, string>>): Promise<{ readonly status: number; readonly html: string }> {
    const response = await fetch(new URL(path, this.#origin), {
      headers: { 'x-sim-mac': this.#mac, 'accept-language': this.#lang },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    return { status: response.status, html: await response.text() };
  }

  /** Whether the internet answers. Each system asks at another address. */
  async hasAccess(system: number): Promise<boolean> {
    const { status } = await this.#request(probePaths[system % probePaths.length] ?? '/generate_204');
    return status === 200 || status === 204;
  }

  /** Opens the portal and logs in as a person does. */
  async login(account: string, password: string): Promise<{ readonly why?: LoginRefusal }> {
    await this.#request('/');
    const { status, html } = await this.#request(`/${this.#lang}/login`, { account, password });
    return status === 303 ? {} : { why: refusalIn(html, this.#lang) ?? 'unknown' };
  }

  /** Opens the page with the remaining quota. */
  async showQuota(): Promise<boolean> {
    const { status, html } = await this.#request(`/${this.#lang}/`);
    return status === 200 && html.includes('/logout"');
  }

  async logout(): Promise<boolean> {
    return (await this.#request(`/${this.#lang}/logout`, {})).status === 303;
  }
}
