import type { Random } from '@farlink/contract/kit/random.ts';
import type { StreamName } from '@farlink/gateway/protocol/stream.ts';
import type { Bytes } from './quota.ts';
import type { Position } from './route.ts';
import { Sums, type Traffic } from './traffic-count.ts';

export interface PackedBatch {
  readonly stream: StreamName;
  readonly seq: number;
  readonly rows: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Load {
  readonly cpu: number;
  readonly mem: number;
}

/** Values of one step. `seconds` are simulated seconds. */
export interface Measured {
  readonly t: number;
  readonly seconds: number;
  readonly position: Position;
  readonly users: number;
  readonly traffic: Traffic;
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));
const within = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

const positionRow = ({ lat, lon, sog, cog }: Position) => [round(lat, 5), round(lon, 5), round(sog, 1), round(cog, 0)];
const positionColumns = ['lat', 'lon', 'sog', 'cog'] as const;

/** Seconds between two positions of the recalled track. */
const recalledS = 900;

/** Number of steps per batch. */
const batchEvery = 5;
const maxSamples = 120;
const minuteS = 60;
/** Rows of sums per batch. */
const maxSums = 500;

/** Collects samples and packs them into numbered batches. The numbers restart at each boot. */
export class Sampler {
  readonly #random: Random;
  readonly #speed: number;
  #boot: string;
  #every = 60;
  #seq: Record<string, number> = {};
  #due = 0;
  #load: number[][] = [];
  #loadT0 = 0;
  #pos: number[][] = [];
  #posT0 = 0;
  #posSeconds = 0;
  #posDue = 0;
  /** Seconds between two positions. */
  posEvery = 60;
  /** Since the last batch. */
  #steps = 0;
  #seconds = 0;
  #began: number | undefined;
  readonly #sums = { flow: new Sums(), user: new Sums(), mgt: new Sums(), dpi: new Sums(), mdpi: new Sums() };
  #cpu: number;
  #mem: number;

  constructor(random: Random, boot: string, speed: number) {
    this.#random = random;
    this.#boot = boot;
    this.#speed = speed;
    this.#cpu = random.int(8, 30);
    this.#mem = random.int(30, 60);
  }

  /** Seconds between two load samples. Samples of the old interval are packed first. */
  set every(seconds: number) {
    if (seconds !== this.#every) this.#waiting.push(...this.#packLoad());
    this.#every = seconds;
  }
  #waiting: PackedBatch[] = [];

  #real(seconds: number) {
    return Math.max(1, Math.round(seconds / this.#speed));
  }

  #measure(users: number): Load {
    const r = this.#random;
    this.#cpu = within(this.#cpu + r.int(-5, 5) + (this.#cpu > 40 + users ? -3 : 0), 3, 97);
    this.#mem = within(this.#mem + r.int(-2, 2), 20, 90);
    return { cpu: this.#cpu, mem: this.#mem };
  }

  /** Takes the samples of one step and returns the batches that are ready. */
  sample({ t, seconds, position: p, users, traffic }: Measured): { readonly load: Load; readonly batches: PackedBatch[] } {
    const load = this.#measure(users);
    this.#due += seconds;
    const n = Math.min(maxSamples, Math.floor(this.#due / this.#every));
    this.#due = n === maxSamples ? 0 : this.#due - n * this.#every;
    if (n > 0 && this.#load.length === 0) this.#loadT0 = t - (n - 1) * this.#real(this.#every);
    for (let i = 0; i < n; i++) {
      const { cpu, mem } = i === n - 1 ? load : this.#measure(users);
      const r = this.#random;
      this.#load.push([cpu, mem, r.int(20, 40), users * r.int(3, 20) + r.int(0, 10), r.int(35, 60)]);
    }
    this.count(t, traffic, seconds);
    this.#steps++;
    this.#seconds += seconds;
    this.#posDue += seconds;
    if (this.#posDue >= this.posEvery) {
      if (this.#pos.length === 0) this.#posT0 = t;
      this.#pos.push(positionRow(p));
      this.#posSeconds += this.#posDue;
      this.#posDue = 0;
    }
    const ready = this.#steps >= batchEvery ? this.#pack() : this.#load.length >= batchEvery ? this.#packLoad() : [];
    return { load, batches: [...this.#waiting.splice(0), ...ready] };
  }

  /** The track of the last `seconds` real seconds, recorded before the first connection. */
  recall(seconds: number, now: number, where: (ago: number) => Position): PackedBatch[] {
    const count = Math.floor(seconds / recalledS);
    const positions = Array.from({ length: count }, (_, i) => positionRow(where((count - i) * recalledS)));
    return this.#batch('pos', now - count * recalledS, recalledS, positionColumns, positions);
  }

  /** Adds traffic of this time to the next batches. */
  count(t: number, { links, users, own, apps, ownApps }: Traffic, seconds = minuteS) {
    this.#began ??= t;
    const peak = ({ u, d }: Bytes) => Math.ceil((u + d) / this.#real(seconds) / 1024);
    for (const [names, bytes] of links) this.#sums.flow.add(names, bytes);
    // Older gateways report neither the time online nor the peak.
    for (const [names, amount] of users) this.#sums.user.add(names, amount.s === undefined ? amount : { ...amount, pk: peak(amount) });
    for (const [names, bytes] of own) this.#sums.mgt.add(names, { ...bytes, pk: peak(bytes) });
    for (const [names, amount] of apps) this.#sums.dpi.add(names, amount);
    for (const [names, amount] of ownApps) this.#sums.mdpi.add(names, amount);
  }

  packNow(): PackedBatch[] {
    return [...this.#waiting.splice(0), ...this.#pack()];
  }

  #batch(stream: StreamName, t0: number, dt: number, c: readonly string[], v: readonly (readonly (string | number)[])[]): PackedBatch[] {
    if (v.length === 0) return [];
    const seq = (this.#seq[stream] ?? 0) + 1;
    this.#seq[stream] = seq;
    return [{ stream, seq, rows: v.length, body: { b: this.#boot, seq, t0: Math.max(0, t0), dt: Math.min(dt, 86_400), c, v } }];
  }

  #packLoad(): PackedBatch[] {
    return this.#batch('load', this.#loadT0, this.#real(this.#every), ['cpu', 'mem', 'disk', 'sess', 'temp'], this.#load.splice(0));
  }

  /** Sums in batches that fit into a packet. Names that no row has are left out. */
  #packSums(stream: 'flow' | 'user' | 'mgt' | 'dpi' | 'mdpi', [name = '', ...more]: readonly string[]): PackedBatch[] {
    const rows = this.#sums[stream].take();
    const columns = [name, 'u', 'd', ...more].slice(0, rows[0]?.length);
    const groups = Array.from({ length: Math.ceil(rows.length / maxSums) }, (_, i) => rows.slice(i * maxSums, (i + 1) * maxSums));
    return groups.flatMap((group) => this.#batch(stream, this.#began ?? 0, this.#real(this.#seconds), columns, group));
  }

  /** All samples since the last batch. */
  #pack(): PackedBatch[] {
    const dt = this.#real(this.#posSeconds / Math.max(1, this.#pos.length));
    const batches = [
      ...this.#packLoad(),
      ...this.#batch('pos', this.#posT0, dt, positionColumns, this.#pos.splice(0)),
      ...this.#packSums('flow', ['i']),
      ...this.#packSums('user', ['acc', 'i', 'via', 's', 'pk']),
      ...this.#packSums('mgt', ['svc', 'i', 'pk']),
      ...this.#packSums('dpi', ['app', 'acc', 'n']),
      ...this.#packSums('mdpi', ['app', 'i', 'n']),
    ];
    this.#posSeconds = 0;
    this.#seconds = 0;
    this.#steps = 0;
    this.#began = undefined;
    return batches;
  }

  reboot(boot: string): PackedBatch[] {
    const batches = this.packNow();
    this.#boot = boot;
    this.#seq = {};
    return batches;
  }
}
