import type { Random } from '@farlink/contract/kit/random.ts';
import type { Position } from './route.ts';

export type LinkName = 'lte' | 'low_orbit' | '6d' | 'l_band';

export type ChangeMode = 'default' | 'backup' | 'roaming';
export type LinkLock = 'unlocked' | 'global' | 'second_satellite';

export interface LinkNow {
  readonly i: LinkName;
  /** 0 off, 1 on, 2 abnormal. */
  readonly s: 0 | 1 | 2;
  /** Round trip in ms, quality in percent. */
  readonly r?: number;
  readonly q?: number;
  /** Address of the gateway on this link. */
  readonly ip?: string;
}

interface Kind {
  readonly i: LinkName;
  readonly rtt: number;
  /** Bytes per second. */
  readonly rate: number;
  readonly covers: (p: Position) => boolean;
  /** Probabilities per minute that the link fails and recovers. */
  readonly fades: number;
  readonly returns: number;
  /** The link is down above this rain value. */
  readonly rain: number;
}

/** Best first: lower cost and latency. */
const kinds: readonly Kind[] = [
  { i: 'lte', rtt: 60, rate: 2_500_000, covers: (p) => p.toPort < 30, fades: 0.004, returns: 0.3, rain: 2 },
  { i: 'low_orbit', rtt: 45, rate: 6_000_000, covers: (p) => Math.abs(p.lat) < 57, fades: 0.006, returns: 0.5, rain: 0.9 },
  { i: '6d', rtt: 620, rate: 750_000, covers: (p) => Math.abs(p.lat) < 72, fades: 0.004, returns: 0.25, rain: 0.84 },
  { i: 'l_band', rtt: 900, rate: 16_000, covers: () => true, fades: 0.0005, returns: 0.5, rain: 2 },
];

export const isLinkName = (name: unknown): name is LinkName => kinds.some((k) => k.i === name);
export const rateOf = (link: LinkName): number => kinds.find((k) => k.i === link)?.rate ?? 0;
export const rttOf = (link: LinkName | undefined): number => kinds.find((k) => k.i === link)?.rtt ?? 0;

const noLinks: ReadonlySet<LinkName> = new Set();

const lockedTo: Readonly<Record<LinkLock, LinkName | undefined>> = { unlocked: undefined, global: '6d', second_satellite: 'low_orbit' };

export interface RadioOptions {
  /** No random fading; the test decides when a link fails. */
  readonly calm?: boolean;
  readonly links?: readonly LinkName[];
}

export interface LinkSelection {
  readonly links: readonly LinkNow[];
  readonly current: LinkName | undefined;
  /** Reason of the change. */
  readonly why: string;
}

/** Two-state fading model for each radio. The link selection ignores short improvements. */
export class Radio {
  readonly #random: Random;
  readonly #calm: boolean;
  readonly #fitted: readonly Kind[];
  readonly #faded = new Set<LinkName>();
  #lock: LinkLock = 'unlocked';
  mode: ChangeMode = 'default';
  links: readonly LinkNow[] = [];
  #current: LinkName | undefined;
  /** Manual selection; it lasts while the link works. */
  #chosen: LinkName | undefined;
  /** Number of manual selections. */
  #selections = 0;
  #forced: LinkName | 'none' | undefined;
  #better = 0;
  /** Switched off manually: muted, stowed or disconnected. */
  readonly #silent = new Set<LinkName>();
  /** Links that carry no traffic with the current configuration. */
  barred: ReadonlySet<LinkName> = noLinks;
  readonly #net: number;
  readonly #host: number;

  constructor(random: Random, { calm = false, links }: RadioOptions = {}) {
    this.#random = random;
    this.#calm = calm;
    this.#net = random.int(0, 255);
    this.#host = random.int(2, 254);
    this.#fitted = kinds.filter(({ i }) => (links ? links.includes(i) : i === '6d' || i === 'l_band' || random.chance(0.5)));
  }

  #addressOf(link: LinkName, host: number): string {
    return `10.${64 + kinds.findIndex((k) => k.i === link)}.${this.#net}.${host}`;
  }

  /** The next hop of a link: the first address of its /24 subnet. */
  gatewayOf(link: LinkName): string {
    return this.#addressOf(link, 1);
  }

  /** Installed links, best first. */
  get fitted(): readonly LinkName[] {
    return this.#fitted.map(({ i }) => i);
  }

  has = (name: string): boolean => this.#fitted.some((k) => k.i === name);

  get lock(): LinkLock {
    return this.#lock;
  }

  set lock(lock: LinkLock) {
    this.#lock = lock;
    this.#chosen = undefined;
  }

  /** Overrides the selection, for tests and demonstrations; `none` disables every link. */
  force(link: LinkName | 'none' | undefined) {
    this.#forced = link;
  }

  silence(link: LinkName, off: boolean) {
    if (off) this.#silent.add(link);
    else this.#silent.delete(link);
  }

  isSilent = (link: LinkName): boolean => this.#silent.has(link);

  /** Returns false if the link is not up. */
  choose(link: LinkName): boolean {
    if (!this.links.some((l) => l.i === link && l.s === 1)) return false;
    this.#chosen = link;
    this.#selections++;
    return true;
  }

  get selections(): number {
    return this.#selections;
  }

  /** Ends the manual selection, unless a newer one was made. */
  release(selection: number) {
    if (selection === this.#selections) this.#chosen = undefined;
  }

  /** Whether a lock excludes this link. */
  isLockedFrom(link: LinkName): boolean {
    return this.#lock !== 'unlocked' && lockedTo[this.#lock] !== link;
  }

  #sample({ i, rtt, covers, fades, returns, rain: limit }: Kind, position: Position, rain: number): LinkNow {
    const random = this.#random;
    const was = this.#faded.has(i);
    const is = !this.#calm && (was ? !random.chance(returns) : random.chance(fades));
    if (is) this.#faded.add(i);
    else this.#faded.delete(i);
    if (this.#forced === 'none' || this.#silent.has(i) || this.barred.has(i)) return { i, s: 0 };
    if (this.#forced !== i && !covers(position)) return { i, s: 0 };
    if (this.#forced !== i && (is || (!this.#calm && rain > limit))) return { i, s: 2, q: random.int(0, 20) };
    const ip = this.#addressOf(i, this.#host);
    const clear = this.#calm || limit > 1 ? 1 : 1 - 0.3 * Math.max(0, rain - 0.4);
    return { i, s: 1, r: Math.round(rtt * random.between(0.95, 1.2)), q: Math.round(random.int(85, 99) * clear), ip };
  }

  step(position: Position, rain: number): LinkSelection {
    const was = this.#current;
    this.links = this.#fitted.map((kind) => this.#sample(kind, position, rain));
    const on = this.links.filter((l) => l.s === 1);
    const next = this.#select(on);
    const gone = was !== undefined && !on.some((l) => l.i === was);
    this.#current = next;
    return { links: this.links, current: next, why: gone ? this.#reason(was, position, rain) : 'better' };
  }

  #reason(link: LinkName, position: Position, rain: number): string {
    const kind = kinds.find((k) => k.i === link);
    if (this.#forced !== undefined || !kind) return 'lost';
    return !kind.covers(position) ? 'coverage' : rain > kind.rain ? 'rain' : 'quality';
  }

  #select(on: readonly LinkNow[]): LinkName | undefined {
    const has = (link: LinkName | undefined) => link !== undefined && on.some((l) => l.i === link);
    if (this.#forced !== undefined) return this.#forced === 'none' || this.barred.has(this.#forced) ? undefined : this.#forced;
    const locked = lockedTo[this.#lock];
    // If the locked link is down, L-band is used so that the gateway stays reachable.
    if (locked !== undefined) return has(locked) ? locked : on.find((l) => l.i === 'l_band')?.i;
    if (this.#chosen !== undefined && has(this.#chosen)) return this.#chosen;
    this.#chosen = undefined;
    const wide = on.filter((l) => l.i !== 'l_band');
    const byQuality = wide.toSorted((a, b) => (b.q ?? 0) - (a.q ?? 0));
    const best = (this.mode === 'roaming' ? byQuality[0] : wide[0])?.i ?? on[0]?.i;
    const current = this.#current;
    if (!has(current) || current === 'l_band') return best;
    if (best === current || this.mode === 'backup') {
      this.#better = 0;
      return current;
    }
    if (++this.#better < 3) return current;
    this.#better = 0;
    return best;
  }
}
