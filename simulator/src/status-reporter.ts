import type { AccessPoint } from './lan-side.ts';
import type { LinkName, LinkNow } from './radio.ts';
import type { Position } from './route.ts';
import type { Load } from './sampler.ts';

interface Now {
  /** Simulated time. */
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

/** Rounded values of a link, so that small changes cause no message. */
const markOf = ({ s, r = 0, q = 0 }: LinkNow): string => `${s} ${Math.round(r / 50)} ${Math.round(q / 10)}`;

/** Seconds between two complete reports. */
const fullEvery = 6 * 3600;

/** Reports changes since the last report, and everything when the console may have missed a message. */
export class StatusReporter {
  readonly #marks = new Map<string, string>();
  #all = true;
  #allAt = 0;

  /** A complete report is due. */
  get isFullDue(): boolean {
    return this.#all;
  }

  reportAll() {
    this.#all = true;
  }

  #isChanged(name: string, mark: string, all: boolean): boolean {
    const isChanged = all || this.#marks.get(name) !== mark;
    this.#marks.set(name, mark);
    return isChanged;
  }

  report({ t, position, links, bytes, load, users, current, lan, aps }: Now) {
    const all = this.#all || t - this.#allAt >= fullEvery;
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
