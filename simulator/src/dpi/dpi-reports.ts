import { createHash } from 'node:crypto';
import {
  type ContinuousReport,
  type DpiRequest,
  dpiCodes,
  dpiSection,
  dpiSectionName,
  dpiTypes,
  streamsOf,
} from '@farlink/gateway/protocol/dpi.ts';
import type { Result } from '@farlink/gateway/protocol/message.ts';
import { type JsonObject, parse } from '@farlink/gateway/protocol/shape.ts';
import type { GatewayCore } from '../gateway-core.ts';
import { type Act, done, fail } from '../operations/result.ts';
import type { Sections } from '../sections.ts';
import { Archive, type Package, packBatches, type StoredBatch } from './archive.ts';
import { sendPackage } from './send-package.ts';

interface ReportGateway extends Pick<GatewayCore, 'boot' | 'faults' | 'now' | 'wait' | 'rate' | 'own'> {
  readonly powered: boolean;
  readonly sections: Pick<Sections, 'get'>;
  ms(): number;
  power(power: 'on' | 'off' | 'cut'): void;
  publish(tail: string, body: JsonObject): void;
}

/** Seconds to make a package of a thousand batches. */
const packS = 20;
const kilobyte = 1024;

interface Continuous {
  n: number;
  /** Bytes that the speed limit allows now, and since when. */
  allowed: number;
  since: number;
  full: boolean;
}

/** Kept batches, single reports of them, and continuous reports. */
export class DpiReports {
  readonly #gateway: ReportGateway;
  #archive: Archive | undefined;
  /** Running reports, and whether they were stopped. */
  readonly #running = new Map<string, { stopped: boolean }>();
  /** Packages on the flash disk: a later command of the task continues their upload. */
  readonly #packages = new Map<string, Package>();
  readonly #continuous = new Map<string, Continuous>();

  constructor(gateway: ReportGateway) {
    this.#gateway = gateway;
  }

  #archiveOf(): Archive {
    this.#archive ??= new Archive(this.#gateway.now());
    return this.#archive;
  }

  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Tasks with a package on the flash disk. */
  get packages(): readonly string[] {
    return [...this.#packages.keys()];
  }

  /** The batches of an order, or the reason why there are none. */
  #find({ type, from, to }: DpiRequest): StoredBatch[] | Result {
    const streams = streamsOf(type);
    const found = streams.length === 0 || this.#gateway.faults.dpi === 'missing' ? undefined : this.#archiveOf().of(streams, from, to);
    if (!found) return fail('the data is no longer kept', dpiCodes.missing);
    return found.length === 0 ? fail('no data in the range', dpiCodes.empty) : found;
  }

  estimate(order: DpiRequest): Result {
    if (this.#gateway.faults.dpi === 'estimate') return fail('the size cannot be read');
    const found = this.#find(order);
    if (!Array.isArray(found)) return found;
    return done({ size: packBatches(found, 0)?.body.length ?? 0, count: found.length });
  }

  /** A power loss deletes the unfinished package; the gateway makes it again when it is back. */
  async #pack(order: DpiRequest, state: { readonly stopped: boolean }): Promise<Package | Result> {
    const known = this.#packages.get(order.task);
    if (known) return known;
    for (;;) {
      const { boot } = this.#gateway;
      const found = this.#find(order);
      if (!Array.isArray(found)) return found;
      if (this.#gateway.faults.dpi === 'power') {
        this.#gateway.faults.dpi = undefined;
        this.#gateway.power('cut');
      }
      await this.#gateway.wait(1 + (packS * found.length) / 1000);
      while (!this.#gateway.powered && !state.stopped) await this.#gateway.wait(5);
      if (state.stopped) return fail('stopped');
      if (this.#gateway.faults.dpi === 'package') return fail('no space for the package', dpiCodes.package);
      if (boot !== this.#gateway.boot) continue;
      const packed = packBatches(found, order.max ?? 0);
      if (!packed) return fail('limit', dpiCodes.upload);
      this.#packages.set(order.task, packed);
      return packed;
    }
  }

  async send(order: DpiRequest, url: string, act: Act): Promise<Result> {
    const state = { stopped: false };
    this.stop(order.task);
    this.#running.set(order.task, state);
    act.report({ st: 'run', pct: 0 });
    try {
      const packed = await this.#pack(order, state);
      if (!('body' in packed)) return packed;
      const { body, count, until } = packed;
      const onProgress = (pct: number) => act.report({ st: 'run', pct });
      if (this.#gateway.faults.dpi !== 'skip')
        await sendPackage(this.#gateway, { url, body, speed: (order.speed ?? 0) * kilobyte, isStopped: () => state.stopped, onProgress });
      if (state.stopped) return fail('stopped');
      const sha256 = createHash('sha256').update(body).digest('hex');
      this.#packages.delete(order.task);
      const reportedHash = this.#gateway.faults.dpi === 'corrupt' ? sha256.replace(/^./, (c) => (c === '0' ? '1' : '0')) : sha256;
      return done({ size: body.length, sha256: reportedHash, count, ...(until !== undefined && { until }) });
    } catch (error) {
      return fail(error instanceof Error ? error.message : String(error), dpiCodes.upload);
    } finally {
      if (this.#running.get(order.task) === state) this.#running.delete(order.task);
    }
  }

  stop(task: string) {
    const running = this.#running.get(task);
    if (running) running.stopped = true;
  }

  /** Deletes the data of a stopped task. */
  forget(task: string) {
    this.stop(task);
    this.#packages.delete(task);
  }

  #section() {
    const stored = this.#gateway.sections.get(dpiSectionName);
    const parsed = parse(dpiSection, stored?.doc ?? {});
    return { rev: stored?.rev ?? 0, reports: 'value' in parsed ? parsed.value : {} };
  }

  /** The section changed: counters of tasks that it no longer names are deleted. */
  follow() {
    const named = Object.values(this.#section().reports).map(({ task }) => task);
    for (const task of this.#continuous.keys()) if (!named.includes(task)) this.#continuous.delete(task);
  }

  #counterOf(task: string): Continuous {
    const counter = this.#continuous.get(task) ?? { n: 0, allowed: Number.POSITIVE_INFINITY, since: this.#gateway.ms(), full: false };
    this.#continuous.set(task, counter);
    return counter;
  }

  /** True: the speed and the traffic limit of the report allow these bytes. Above the speed, a batch is sent as usual. */
  #count({ task, speed = 0, max = 0 }: ContinuousReport, bytes: number): boolean {
    const counter = this.#counterOf(task);
    const now = this.#gateway.ms();
    const perSecond = speed === 0 ? Number.POSITIVE_INFINITY : speed * kilobyte;
    counter.allowed = Math.min(perSecond * 60, speed === 0 ? perSecond : counter.allowed + (perSecond * (now - counter.since)) / 1000);
    counter.since = now;
    if (max > 0 && counter.n + bytes > max) counter.full = true;
    if (counter.full || bytes > counter.allowed) return false;
    counter.n += bytes;
    counter.allowed -= bytes;
    return true;
  }

  /** A new batch is kept. True: a continuous report sends it over any link. */
  add(stream: string, body: Readonly<Record<string, unknown>>): boolean {
    this.#archiveOf().add(stream, body, this.#gateway.now());
    const { rev, reports } = this.#section();
    const type = dpiTypes.find((one) => reports[one] !== undefined && streamsOf(one).some((name) => name === stream));
    const report = type && reports[type];
    if (!report) return false;
    const wasFull = this.#counterOf(report.task).full;
    const sent = this.#count(report, Buffer.byteLength(JSON.stringify(body)));
    const { n, full } = this.#counterOf(report.task);
    if (sent || full !== wasFull) {
      const t = this.#gateway.now();
      const r = { [report.task]: { t, n, ...(full && { full }) } };
      this.#gateway.publish(`cfg/${dpiSectionName}`, { rev, pct: full ? 100 : 0, code: full ? 100 : 1, r });
    }
    return sent;
  }
}
