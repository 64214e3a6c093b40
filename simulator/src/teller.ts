import type { LinkName, LinkNow } from './radio.ts';
import type { Random } from './random.ts';
import type { Position } from './voyage.ts';

interface Now {
  readonly position: Position;
  readonly links: readonly LinkNow[];
  readonly load: { readonly cpu: number; readonly mem: number };
  readonly users: number;
  readonly current: LinkName | undefined;
}

/** What of a link is worth a message: its state, and its numbers roughly. */
const markOf = ({ s, r = 0, q = 0 }: LinkNow): string => `${s} ${Math.round(r / 50)} ${Math.round(q / 10)}`;

/** Messages after which everything is said again: six hours at one a minute. */
const wholeEvery = 360;

/** Tells what has changed since it last told, and everything where the console may have missed something. */
export class Teller {
  readonly #lan: readonly number[];
  readonly #marks = new Map<string, string>();
  #all = true;
  #sinceAll = 0;

  constructor(random: Random) {
    this.#lan = [1, 1, random.int(0, 1), 0];
  }

  sayAll() {
    this.#all = true;
  }

  tell({ position, links, load, users, current }: Now) {
    const all = this.#all || ++this.#sinceAll >= wholeEvery;
    if (all) this.#sinceAll = 0;
    this.#all = false;
    const l = all ? links : links.filter((link) => this.#marks.get(link.i) !== markOf(link));
    for (const link of links) this.#marks.set(link.i, markOf(link));
    const { lat, lon, sog, cog } = position;
    const p = [Number(lat.toFixed(5)), Number(lon.toFixed(5)), Number(sog.toFixed(1)), Math.round(cog), 1];
    return {
      ...load,
      p,
      on: users,
      cur: current,
      ...(l.length > 0 && { l }),
      ...(all && { full: true, lan: this.#lan, ap: [['ap1', 1, users, '02:00:00:00:00:01']] }),
    };
  }
}
