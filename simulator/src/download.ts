import { createHash } from 'node:crypto';
import type { TransferGateway } from './gateway-core.ts';

export interface Source {
  readonly url: string;
  readonly size: number;
  readonly sha256: string;
  /** The operator allowed a link that is billed by volume. */
  readonly any?: boolean | undefined;
}

/** Result of a download by the codes of file tasks; 100: complete. */
export interface Outcome {
  readonly code: 100 | 200 | 201 | 202 | 203;
  readonly err?: string;
}

export type Progress = (pct: number, paused: boolean) => void;

interface DownloadOptions {
  /** Keeps the complete content. */
  readonly whole?: boolean;
  /** Its bytes are own traffic of this service. */
  readonly service?: 'file' | 'update';
}

const maxTries = 5;
const gone = [403, 404, 410];

class Missing extends Error {}

/** HTTP download at the rate of the link, with resume. It keeps only the hash and the first bytes of the content. */
export class Download {
  readonly #gateway: TransferGateway;
  readonly #source: Source;
  readonly #onProgress: Progress;
  readonly #service: 'file' | 'update';
  #hash = createHash('sha256');
  #head = Buffer.alloc(0);
  #got = 0;
  #tag: string | undefined;
  #breakAt: number | undefined;
  #reportedPercent = -1;
  #paused = false;
  #stopped = false;
  #attempt: AbortController | undefined;
  #changed = Promise.withResolvers<void>();
  /** The complete content, if requested. */
  #chunks: Buffer[] | undefined;

  constructor(gateway: TransferGateway, source: Source, onProgress: Progress, { whole = false, service = 'file' }: DownloadOptions = {}) {
    if (whole) this.#chunks = [];
    this.#service = service;
    this.#gateway = gateway;
    this.#source = source;
    this.#onProgress = onProgress;
  }

  /** The first bytes, which show the file type. */
  get head(): Buffer {
    return this.#head;
  }

  get body(): Buffer {
    return Buffer.concat(this.#chunks ?? []);
  }

  get pct(): number {
    return this.#source.size === 0 ? 100 : Math.min(100, Math.floor((this.#got / this.#source.size) * 100));
  }

  pause() {
    this.#paused = true;
    this.disturb();
  }

  resume() {
    this.#paused = false;
    this.disturb();
  }

  stop() {
    this.#stopped = true;
    this.disturb();
  }

  /** Aborts the running attempt because the link, the power or the task changed. */
  disturb() {
    this.#attempt?.abort();
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  async run(): Promise<Outcome> {
    let tries = 0;
    this.#report(false);
    for (;;) {
      if (this.#stopped) return { code: 201, err: 'stopped' };
      const { promise } = this.#changed;
      if (this.#paused || this.#gateway.rate(this.#source.any) === undefined) {
        this.#report(true);
        await promise;
        continue;
      }
      this.#report(false);
      const before = this.#got;
      try {
        await this.#fetch();
        return this.#outcome();
      } catch (error) {
        if (error instanceof Missing) return { code: 202, err: error.message };
        if (this.#attempt?.signal.aborted) continue;
        tries = this.#got > before ? 1 : tries + 1;
        if (tries >= maxTries) return { code: 200, err: error instanceof Error ? error.message : String(error) };
        await this.#gateway.wait(2 ** tries);
      }
    }
  }

  #outcome(): Outcome {
    if (this.#gateway.faults.file === 'corrupt') this.#hash.update('noise on the line');
    const sha256 = this.#hash.digest('hex');
    if (sha256 === this.#source.sha256.toLowerCase()) return { code: 100 };
    return { code: 203, err: `sha256 ${sha256}` };
  }

  async #fetch() {
    const { faults } = this.#gateway;
    const attempt = new AbortController();
    this.#attempt = attempt;
    if (faults.file === 'missing') throw new Missing('HTTP 404');
    if (faults.file === 'net') throw new Error('connection lost');
    if (this.#got > 0 && this.#got === this.#source.size) return;
    const range = this.#got > 0 && { range: `bytes=${this.#got}-`, ...(this.#tag && { 'if-range': this.#tag }) };
    const response = await fetch(this.#source.url, { headers: { ...range }, signal: attempt.signal });
    if (gone.includes(response.status)) throw new Missing(`HTTP ${response.status}`);
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
    if (response.status !== 206) this.#again();
    this.#tag = response.headers.get('etag') ?? undefined;
    // The fault breaks the download after some bytes, so that it can resume.
    const ahead = (this.#source.size - this.#got) * this.#gateway.random.between(0.2, 0.6);
    this.#breakAt = faults.drops > 0 ? this.#got + Math.ceil(ahead) : undefined;
    for await (const chunk of response.body) await this.#receive(Buffer.from(chunk), attempt.signal);
  }

  /** The server sends the file from the start. */
  #again() {
    this.#got = 0;
    this.#hash = createHash('sha256');
    this.#head = Buffer.alloc(0);
    if (this.#chunks) this.#chunks = [];
  }

  async #receive(chunk: Buffer, signal: AbortSignal) {
    for (let rest = chunk; rest.length > 0; ) {
      const { faults } = this.#gateway;
      const end = faults.hold === undefined ? Number.POSITIVE_INFINITY : Math.floor((this.#source.size * faults.hold) / 100);
      const piece = rest.subarray(0, Math.max(0, Math.min(end, this.#breakAt ?? end) - this.#got));
      rest = rest.subarray(piece.length);
      if (this.#head.length < 512) this.#head = Buffer.concat([this.#head, piece]).subarray(0, 512);
      this.#hash.update(piece);
      this.#chunks?.push(piece);
      this.#got += piece.length;
      this.#gateway.own.add(this.#service, 0, piece.length);
      this.#report(false);
      const rate = this.#gateway.rate(this.#source.any);
      if (rate === undefined || signal.aborted) throw new Error('link lost');
      await this.#gateway.wait(piece.length / rate);
      if (this.#got === this.#breakAt) {
        faults.drops--;
        throw new Error('connection lost');
      }
      if (rest.length > 0) await new Promise((resolve) => setTimeout(resolve, 20).unref());
    }
  }

  /** Reports each tenth of the progress, and each change between running and waiting. */
  #report(waiting: boolean) {
    const step = waiting ? -2 : Math.floor(this.pct / 10);
    if (step === this.#reportedPercent) return;
    this.#reportedPercent = step;
    this.#onProgress(this.pct, waiting);
  }
}
