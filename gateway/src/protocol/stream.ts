import { auditStreams } from './audit.ts';
import { isPlausible, maxAge as longestSeries } from './clock.ts';
import { epoch } from './epoch.ts';
import { maxBytes, maxBytesPerSecond, protocolLimits } from './limits.ts';
import { int, list, mismatch, num, obj, oneOf, type Shape, str } from './shape.ts';

const percent = int(0, 100);
const bytes = int(0, maxBytes);
const count = int(0, 2_147_483_647);
const account = str(64, /^\S+$/);
const linkName = str(16, /^[a-z0-9_]+$/);
/** Application by nDPI ids: `7`, or `91.124` for an application within a protocol. */
const app = str(16, /^\d{1,6}(\.\d{1,6})?$/);

/** The side that authorised a session: the gateway by its stored accounts, or RADIUS. It is metered on that path only. */
export const authorizers = ['local', 'aaa'] as const;

/** Services of a gateway that cause its own traffic. `release` is the temporary release of a user before login. */
export const ownServices = ['mqtt', 'file', 'remote', 'radius', 'ntp', 'vpn', 'update', 'release', 'other'] as const;

interface Stream {
  /** True: rows are samples, `dt` seconds apart. False: rows are sums over `dt` seconds from `t0`. */
  readonly series: boolean;
  readonly required: Readonly<Record<string, Shape<string | number>>>;
  readonly optional: Readonly<Record<string, Shape<string | number>>>;
}

const stream = <const S extends Stream>(s: S) => s;

export const streams = {
  load: stream({ series: true, required: { cpu: percent, mem: percent }, optional: { disk: percent, sess: count, temp: int(-100, 200) } }),
  pos: stream({
    series: true,
    required: { lat: num(-90, 90), lon: num(-180, 180) },
    optional: { sog: num(0, 200), cog: num(0, 360) },
  }),
  flow: stream({ series: false, required: { i: linkName, u: bytes, d: bytes }, optional: {} }),
  // `i` is the link, `via` the side that authorised the session, `s` the seconds online, `pk` the highest KB/s of a minute.
  user: stream({
    series: false,
    required: { acc: account, u: bytes, d: bytes },
    optional: { i: linkName, via: oneOf(authorizers), s: int(0, 86_400), pk: count },
  }),
  // Traffic of the gateway itself.
  mgt: stream({ series: false, required: { svc: oneOf(ownServices), u: bytes, d: bytes }, optional: { i: linkName, pk: count } }),
  // Applications of users and of the gateway itself; `n` is the number of sessions that began.
  dpi: stream({ series: false, required: { app, u: bytes, d: bytes }, optional: { acc: account, n: count } }),
  mdpi: stream({ series: false, required: { app, u: bytes, d: bytes }, optional: { i: linkName, n: count } }),
  ...auditStreams,
} as const;

export type StreamName = keyof typeof streams;
export const isStream = (name: string): name is StreamName => Object.hasOwn(streams, name);

export const bootPattern = /^[0-9a-z]{4,16}$/;
export const seq = int(1, Number.MAX_SAFE_INTEGER);

const anyValue: Shape<unknown> = { read: (raw) => raw };
const head = obj(
  { b: str(16, bootPattern), seq, t0: epoch, c: list(str(16), 32), v: list(anyValue, protocolLimits.rowsOfBatch) },
  { dt: int(0, 86_400) },
);

export interface Batch {
  readonly b: string;
  readonly seq: number;
  readonly t0: number;
  readonly dt: number;
  readonly rows: readonly Readonly<Record<string, string | number>>[];
}

/** A report that is closed early can contain traffic of a whole interval. */
const shortestS = 60;

/** Unknown columns are ignored. */
export const batchOf = (name: StreamName): Shape<Batch> => {
  const { series, required, optional } = streams[name];
  const shapes = new Map<string, Shape<string | number>>(Object.entries({ ...required, ...optional }));
  return {
    read: (raw, at) => {
      const { b, seq, t0, c, v, dt = 60 } = head.read(raw, at);
      if (series && dt * (v.length - 1) > longestSeries) return mismatch('dt', 'a series of 90 days at most');
      const missing = Object.keys(required).find((column) => !c.includes(column));
      if (missing) return mismatch('c', `a column ${missing}`);
      const maxOfRow = maxBytesPerSecond * Math.max(dt, shortestS);
      const rows = v.map((cells, i) => {
        if (!Array.isArray(cells) || cells.length !== c.length) return mismatch(`v[${i}]`, `a list of ${c.length}`);
        const out: Record<string, string | number> = {};
        for (const [n, column] of c.entries()) {
          const shape = shapes.get(column);
          if (!shape || ((cells[n] === null || cells[n] === undefined) && !Object.hasOwn(required, column))) continue;
          const value = shape.read(cells[n], `v[${i}].${column}`);
          if (shape === bytes && Number(value) > maxOfRow) return mismatch(`v[${i}].${column}`, `at most ${maxOfRow} bytes in ${dt} s`);
          out[column] = value;
        }
        return out;
      });
      return { b, seq, t0, dt, rows };
    },
  };
};

/** Time of each row. A batch with an invalid clock keeps its spacing and ends now. */
export const rowTimes = (name: StreamName, batch: Batch, now: number): number[] => {
  const step = streams[name].series ? batch.dt : 0;
  const length = step * Math.max(0, batch.rows.length - 1);
  const t0 = isPlausible(batch.t0, now) && isPlausible(batch.t0 + length, now) ? batch.t0 : now - length;
  return batch.rows.map((_, i) => t0 + i * step);
};
