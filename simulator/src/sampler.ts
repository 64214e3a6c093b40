import type { StreamName } from '@farlink/gateway/protocol/stream.ts';
import type { LinkName } from './radio.ts';
import type { Random } from './random.ts';
import type { Position } from './voyage.ts';

export interface Made {
  readonly stream: StreamName;
  readonly seq: number;
  readonly rows: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));

/** Collects what is measured and packs it into numbered batches. A new boot counts from one again. */
export class Sampler {
  readonly #random: Random;
  #boot: string;
  #seq: Record<string, number> = {};
  #t0 = 0;
  #load: number[][] = [];
  #pos: number[][] = [];
  #flow = new Map<LinkName, { u: number; d: number }>();

  constructor(random: Random, boot: string) {
    this.#random = random;
    this.#boot = boot;
  }

  get size(): number {
    return this.#load.length;
  }

  sample(t: number, p: Position, link: LinkName | undefined, users: number) {
    const r = this.#random;
    if (this.#load.length === 0) this.#t0 = t;
    const load = { cpu: r.int(5, 60), mem: r.int(30, 70), disk: r.int(20, 40), sess: users * r.int(3, 20), temp: r.int(35, 60) };
    this.#load.push([load.cpu, load.mem, load.disk, load.sess, load.temp]);
    this.#pos.push([round(p.lat, 5), round(p.lon, 5), round(p.sog, 1), round(p.cog, 0)]);
    if (link) {
      const was = this.#flow.get(link) ?? { u: 0, d: 0 };
      const scale = link === 'l_band' ? 2000 : 200_000;
      this.#flow.set(link, { u: was.u + users * r.int(1, scale), d: was.d + users * r.int(1, scale * 8) });
    }
    return load;
  }

  /** Everything since the last time; `dt` is the time between two samples. */
  pack(dt: number): Made[] {
    const made: Made[] = [];
    const batch = (stream: StreamName, c: readonly string[], v: readonly (readonly (string | number)[])[], seconds: number) => {
      if (v.length === 0) return;
      const seq = (this.#seq[stream] ?? 0) + 1;
      this.#seq[stream] = seq;
      made.push({ stream, seq, rows: v.length, body: { b: this.#boot, seq, t0: this.#t0, dt: seconds, c, v } });
    };
    batch('load', ['cpu', 'mem', 'disk', 'sess', 'temp'], this.#load, dt);
    batch('pos', ['lat', 'lon', 'sog', 'cog'], this.#pos, dt);
    const flows = [...this.#flow].map(([i, { u, d }]) => [i, u, d]);
    batch('flow', ['i', 'u', 'd'], flows, Math.min(dt * this.#load.length, 86_400));
    this.#load = [];
    this.#pos = [];
    this.#flow = new Map();
    return made;
  }

  reboot(boot: string, dt: number): Made[] {
    const made = this.pack(dt);
    this.#boot = boot;
    this.#seq = {};
    return made;
  }
}
