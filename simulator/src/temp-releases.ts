import { networkOf } from '@farlink/contract/protocol/network.ts';
import { localTempReleaseRule } from '@farlink/gateway/kit/speed.ts';
import {
  advanceTempReleases,
  changeTempReleaseRule,
  type EndedTempRelease,
  endTempRelease,
  noTempReleases,
  openTempReleases,
  passTempRelease,
  readTempReleaseRule,
  requestTempRelease,
  type TempReleasePurpose,
  type TempReleaseRefusal,
  type TempReleaseReply,
  type TempReleaseRule,
  tempReleaseSection,
} from '@farlink/gateway/protocol/temp-release.ts';
import type { GatewayCore } from './gateway-core.ts';
import { type Bytes, noBytes } from './quota.ts';
import type { Sections } from './sections.ts';
import { normalMac, type Session } from './session.ts';
import { demandOf } from './user-flows.ts';

interface TempReleasesGateway extends Pick<GatewayCore, 'fork' | 'now' | 'event' | 'own' | 'current'> {
  readonly sections: Sections;
  readonly users: { readonly sessions: readonly Session[] };
  ms(): number;
}

/** Page with the gateway's own rule. It applies while the console has sent none. */
const ownPage = 'auth_temp_release';

/** `until` is a time in seconds; null: without end, or not known. `online`: the terminal has access already. */
export type TempReleaseResult =
  | { readonly ok: true; readonly until: number | null }
  | { readonly ok: false; readonly until: number | null; readonly reason: TempReleaseRefusal | 'no_link' | 'l_band' | 'online' };

/** Temporary release of terminals without access. It works without the console, by the last rule. */
export class TempReleases {
  readonly #gateway: TempReleasesGateway;
  #state = noTempReleases;
  /** Hashes of the sections that apply. */
  #hashes: string | undefined;
  /** Until when the refusal of a terminal is not reported again. */
  readonly #reported = new Map<string, number>();

  constructor(gateway: TempReleasesGateway) {
    this.#gateway = gateway;
  }

  get rule(): TempReleaseRule | undefined {
    return this.#state.rule;
  }

  /** Open releases. */
  get open() {
    return openTempReleases(this.#state).map(([mac, { end, u, d }]) => ({ mac, until: this.#clockTime(end), u, d }));
  }

  /** The monotonic time of the gateway: a corrected clock neither ends nor prolongs a release. */
  #seconds(): number {
    return Math.floor(this.#gateway.ms() / 1000);
  }

  #clockTime(at: number | null): number | null {
    return at === null ? null : this.#gateway.now() + at - this.#seconds();
  }

  /** Applies the rule of the console, else the gateway's own one, if it has changed. */
  follow() {
    const { sections } = this.#gateway;
    const section = sections.get(tempReleaseSection);
    const own = sections.get(ownPage);
    const hashes = `${section?.hash} ${own?.hash}`;
    if (hashes === this.#hashes) return;
    this.#hashes = hashes;
    this.#reported.clear();
    const rule = readTempReleaseRule(section?.doc ?? {}) ?? localTempReleaseRule(own?.doc ?? {});
    const { state, ended } = changeTempReleaseRule(this.#state, rule, this.#seconds());
    this.#state = state;
    this.#reportEnds(ended);
  }

  /** A terminal asks for a release. */
  request(rawMac: string, purpose: TempReleasePurpose): TempReleaseResult {
    this.follow();
    const mac = normalMac(rawMac);
    if (this.#isOnline(mac)) return { ok: false, until: null, reason: 'online' };
    // Without a link the release would be wasted.
    if (this.#gateway.current === undefined) return { ok: false, until: null, reason: 'no_link' };
    if (this.#isBlocked) return { ok: false, until: null, reason: 'l_band' };
    const { state, ended, reply } = requestTempRelease(this.#state, mac, this.#seconds());
    this.#state = state;
    this.#reportEnds(ended);
    this.#reportReply(mac, purpose, reply);
    const until = this.#clockTime(reply.until);
    return reply.ok ? { ok: true, until } : { ok: false, until, reason: reply.reason };
  }

  #isOnline(mac: string): boolean {
    return this.#gateway.users.sessions.some((session) => session.mac === mac);
  }

  /** L-band is billed by volume, so the factory setting blocks releases there. */
  get #isBlocked(): boolean {
    const { current, sections } = this.#gateway;
    return networkOf(current) === 'l_band' && sections.doc(ownPage).block_on_lband !== false;
  }

  #reportReply(mac: string, purpose: TempReleasePurpose, reply: TempReleaseReply) {
    const rule = this.#state.rule?.id;
    const until = this.#clockTime(reply.until);
    if (rule === undefined) return;
    const event = { mac, rule, for: purpose, ...(until !== null && { until }) };
    if (!reply.ok) {
      if (this.#isReported(mac, reply)) return;
      this.#gateway.event('release', { ...event, st: 'refused', why: reply.reason });
    } else if (reply.isNew) this.#gateway.event('release', { ...event, st: 'start' });
  }

  /** A refusal is reported once until it ends, those of the whole gateway together. */
  #isReported(mac: string, { reason, until }: Extract<TempReleaseReply, { ok: false }>): boolean {
    const now = this.#seconds();
    for (const [key, end] of this.#reported) if (end <= now) this.#reported.delete(key);
    const key = reason === 'gateway' ? reason : mac;
    if (this.#reported.has(key)) return true;
    this.#reported.set(key, until ?? Number.POSITIVE_INFINITY);
    return false;
  }

  #reportEnds(ended: readonly EndedTempRelease[]) {
    for (const { mac, rule, at, why, u, d } of ended) {
      const until = this.#clockTime(at) ?? this.#gateway.now();
      this.#gateway.event('release', { mac, rule, st: 'end', why, u, d, until, t: until });
    }
  }

  /** Transfers these bytes at once. Undefined: no open release. */
  transfer(rawMac: string, requested: Bytes, seconds?: number): Bytes | undefined {
    const mac = normalMac(rawMac);
    if (!openTempReleases(this.#state).some(([of]) => of === mac)) return undefined;
    if (this.#gateway.current === undefined || this.#isBlocked) return noBytes;
    const { state, u, d } = passTempRelease(this.#state, mac, requested, seconds);
    this.#state = state;
    // Traffic before login is traffic of the gateway itself, so no account pays for it.
    this.#gateway.own.add('release', u, d);
    return { u, d };
  }

  /** Ends releases whose time is over or whose terminal has logged in. The others browse for these seconds. */
  step(browseSeconds: number) {
    this.follow();
    const now = this.#seconds();
    const { state, ended } = advanceTempReleases(this.#state, now);
    this.#state = state;
    this.#reportEnds(ended);
    for (const [mac] of openTempReleases(this.#state)) {
      if (this.#isOnline(mac)) this.#close(mac, now);
      else if (browseSeconds > 0) this.transfer(mac, demandOf(this.#gateway.fork(`release ${mac} ${now}`), browseSeconds), browseSeconds);
    }
  }

  #close(mac: string, now: number) {
    const { state, ended } = endTempRelease(this.#state, mac, now);
    this.#state = state;
    this.#reportEnds(ended);
  }
}
