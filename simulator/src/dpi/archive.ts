import { gzipSync } from 'node:zlib';
import { storedStreams } from '@farlink/gateway/protocol/dpi.ts';

export interface StoredBatch {
  readonly stream: string;
  /** First and last second of its data. */
  readonly from: number;
  readonly to: number;
  readonly line: string;
}

/** Days for which batches are kept, and how many at most. */
const days = 7;
const maxBatches = 2000;

const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0);

/** Batches of the last days on the flash disk, whether they were reported or not. */
export class Archive {
  #batches: StoredBatch[] = [];
  /** Data before this time is not kept. */
  #since: number;

  constructor(now: number) {
    this.#since = now;
  }

  add(stream: string, body: Readonly<Record<string, unknown>>, now: number) {
    if (!storedStreams.has(stream)) return;
    const from = numberOf(body.t0);
    this.#batches.push({ stream, from, to: from + numberOf(body.dt), line: JSON.stringify({ s: stream, ...body }) });
    this.#since = Math.min(this.#since, from);
    const oldest = now - days * 86_400;
    const dropped = this.#batches.findIndex(({ to }) => to >= oldest);
    this.#drop(Math.max(dropped < 0 ? this.#batches.length : dropped, this.#batches.length - maxBatches));
  }

  #drop(count: number) {
    if (count <= 0) return;
    const gone = this.#batches.splice(0, count);
    this.#since = Math.max(this.#since, gone.at(-1)?.to ?? 0);
  }

  /** Batches of the range, oldest first; undefined: the gateway no longer has data of that time. */
  of(streams: readonly string[], from: number, to: number): StoredBatch[] | undefined {
    if (to <= this.#since) return undefined;
    return this.#batches.filter((batch) => streams.includes(batch.stream) && batch.from < to && batch.to >= from);
  }
}

export interface Package {
  readonly body: Buffer;
  readonly count: number;
  /** End of the data, if the limit cut it off. */
  readonly until?: number;
}

const gzipOf = (batches: readonly StoredBatch[]) => gzipSync(batches.map(({ line }) => `${line}\n`).join(''));

/** As many of the oldest batches as fit; undefined: not even one. 0 is unlimited. */
export const packBatches = (batches: readonly StoredBatch[], max: number): Package | undefined => {
  const all = gzipOf(batches);
  if (max === 0 || all.length <= max) return { body: all, count: batches.length };
  let fits = 0;
  let tooMany = batches.length;
  while (tooMany - fits > 1) {
    const count = Math.floor((fits + tooMany) / 2);
    if (gzipOf(batches.slice(0, count)).length <= max) fits = count;
    else tooMany = count;
  }
  const until = batches[fits - 1]?.to;
  return until === undefined ? undefined : { body: gzipOf(batches.slice(0, fits)), count: fits, until };
};
