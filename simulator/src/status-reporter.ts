import type { AccessPoint } from './gateway-internals.ts';
import type { LinkName, LinkNow } from './radio.ts';
import type { Position } from './route.ts';
import type { Load } from './sampler.ts';

interface Now {
  /** Of the simulated world. */
  readonly t: number;
  readonly position: Position;
  readonly links: readonly LinkNow[];
  readonly bytes: ReadonlyMap<LinkName, { readonly u: number; readonly d: number }>;
  readonly load: Load;
  readonly users: number;
  readonly current: LinkName | undefined;
  readonly lan: readonly number[];
  readonly aps: readonly AccessPoint[];
}

/** What of a link is worth a message: its state, and its numbers roughly. */
const markOf = ({ s, r = 0, q = 0 }: LinkNow): string => `${s} ${Math.round(r / 50)} ${Math.round(q / 10)}`;

/** Seconds after which everything is said again. */
const wholeEvery = 6 * 3600;

/** Tells what has changed since it last told, and everything where the console may have missed something. */
export class StatusReporter {
  readonly #marks = new Map<string, string>();
  #all = true;
  #allAt = 0;

  /** Everything is to be said, as soon as it can be. */
  get wantsAll(): boolean {
    return this.#all;
  }

  sayAll() {
    this.#all = true;
  }

  #isChanged(name: string, mark: string, all: boolean): boolean {
    const isChanged = all || this.#marks.get(name) !== mark;
    this.#marks.set(name, mark);
    return isChanged;
  }

  tell({ t, position, links, bytes, load, users, current, lan, aps }: Now) {
    const all = this.#all || t - this.#allAt >= wholeEvery;
    if (all) this.#allAt = t;
    this.#all = false;
    const l = links
      .filter((link) => this.#isChanged(link.i, markOf(link), all) || link.i === current)
      .map((link) => ({ ...link, ...bytes.get(link.i) }));
    const ap = aps.map(({ name, s, stations, mac }) => [name, s, stations, mac]);
    const { lat, lon, sog, cog } = position;
    const p = [Number(lat.toFixed(5)), Number(lon.toFixed(5)), Number(sog.toFixed(1)), Math.round(cog), 1];
    return {
      ...load,
      p,
      on: users,
      cur: current,
      ...(l.length > 0 && { l }),
      ...(all && { full: true }),
      ...(this.#isChanged('lan', lan.join(''), all) && { lan }),
      ...(this.#isChanged('ap', ap.map((row) => row.join()).join(' '), all) && { ap }),
    };
  }
}
