import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Deps } from '../../kit/deps.ts';
import type { FileStore } from '../../kit/files/file-store.ts';
import { type Arrivals, meteredPurposes, uploaded } from '../../orders/file-exchange.ts';
import type { WriteToken } from '../../orders/file-exchange-token.ts';
import type { ContentRange } from './range.ts';

class TooLarge extends Error {}

interface Sums {
  readonly sha256: Hash;
  readonly md5: Hash;
}

const newSums = (): Sums => ({ sha256: createHash('sha256'), md5: createHash('md5') });

const sumInto = ({ sha256, md5 }: Sums, chunk: Buffer) => {
  sha256.update(chunk);
  md5.update(chunk);
};

/** Limits the size, and computes the hashes when the upload starts at byte 0. */
const meter = (maxBytes: number, sums: Sums | undefined) => {
  let seen = 0;
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      seen += chunk.length;
      if (seen > maxBytes) return done(new TooLarge());
      if (sums) sumInto(sums, chunk);
      done(null, chunk);
    },
  });
};

const sumsOf = async (path: string) => {
  const sums = newSums();
  for await (const chunk of createReadStream(path)) sumInto(sums, chunk);
  return sums;
};

const headOf = async (path: string) => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** Reply to the gateway: HTTP status and number of bytes stored. */
export interface Receipt {
  readonly status: 200 | 201 | 202 | 400 | 409 | 410 | 413;
  readonly offset: number;
  readonly sha256?: string;
}

interface Body {
  readonly stream: Readable;
  /** Undefined: unknown until the end of the stream. */
  readonly length: number | undefined;
  readonly range: ContentRange | undefined;
}

/** No more bytes are accepted for a task that has ended. */
const isStopped = async ({ db }: Pick<Deps, 'db'>, { purpose, id }: WriteToken) =>
  meteredPurposes.has(purpose) &&
  !(await db.selectFrom('dpi_task').select('id').where('upload_id', '=', id).where('ended', '=', false).executeTakeFirst());

/** Uploads are written to a temporary folder and moved to the file store when complete. */
export const openUploads = (deps: Deps, store: FileStore, arrivals: Arrivals) => {
  const folder = join(deps.config.dataDir, 'tmp');
  const pathOf = ({ id }: WriteToken) => join(folder, `depot-${id}`);
  const bytesStored = async (token: WriteToken) => (await stat(pathOf(token)).catch(() => undefined))?.size ?? 0;
  /** The latest request wins: an earlier connection of the same gateway is dead, even if the socket is still open. */
  const writing = new Map<string, { readonly stop: () => void; readonly ended: Promise<unknown> }>();

  const finish = async (token: WriteToken, known: Sums | undefined): Promise<Receipt> => {
    const path = pathOf(token);
    const { size } = await stat(path);
    const sums = known ?? (await sumsOf(path));
    const sha256 = sums.sha256.digest('hex');
    const md5 = sums.md5.digest('hex');
    const head = await headOf(path);
    await store.put(token.key, path, size);
    const now = deps.clock.now();
    await deps.db.transaction().execute(async (db) => {
      const arrived = await db
        .insertInto('depot_upload')
        .values({ id: token.id, device_id: token.device, purpose: token.purpose, key: token.key, size, sha256, md5, create_at: now })
        .onConflict((oc) => oc.column('id').doNothing())
        .returningAll()
        .executeTakeFirst();
      if (arrived) await arrivals[token.purpose]?.(db, { ...arrived, head }, now);
    });
    await rm(path, { force: true });
    return { status: 201, offset: size, sha256 };
  };

  const receiveBody = async (token: WriteToken, { stream, length, range }: Body, signal: AbortSignal): Promise<Receipt> => {
    const done = await uploaded(deps.db, token.id);
    if (done) return { status: 200, offset: done.size, sha256: done.sha256 };
    const offset = await bytesStored(token);
    if (await isStopped(deps, token)) return { status: 410, offset };
    if ((range?.total ?? length ?? 0) > token.max) return { status: 413, offset };
    if (range && !range.span) return offset === range.total ? finish(token, undefined) : { status: 202, offset };
    const start = range?.span?.start ?? 0;
    if ((range || meteredPurposes.has(token.purpose)) && start !== offset) return { status: 409, offset };
    const bytes = range?.span ? range.span.end - start + 1 : undefined;
    if (bytes !== undefined && length !== undefined && length !== bytes) return { status: 400, offset };
    const sums = start === 0 ? newSums() : undefined;
    const file = createWriteStream(pathOf(token), { flags: start === 0 ? 'w' : 'r+', start, mode: 0o600 });
    try {
      await pipeline(stream, meter(bytes ?? token.max, sums), file, { signal });
    } catch (error) {
      if (error instanceof TooLarge) return { status: 413, offset: await bytesStored(token) };
      throw error;
    }
    const now = await bytesStored(token);
    if (range && now < range.total) return { status: 202, offset: now };
    return finish(token, sums);
  };

  return {
    /** Reply to an invalid request: 400, unless the file is already complete. */
    refuse: async (token: WriteToken): Promise<Receipt> => {
      const done = await uploaded(deps.db, token.id);
      return done ? { status: 200, offset: done.size, sha256: done.sha256 } : { status: 400, offset: await bytesStored(token) };
    },
    /** Number of bytes stored, and whether the upload is complete. */
    state: async (token: WriteToken): Promise<Receipt> => {
      const done = await uploaded(deps.db, token.id);
      return done ? { status: 201, offset: done.size, sha256: done.sha256 } : { status: 200, offset: await bytesStored(token) };
    },
    receive: async (token: WriteToken, body: Body): Promise<Receipt> => {
      await mkdir(folder, { recursive: true });
      const before = writing.get(token.id);
      const abort = new AbortController();
      const work = (async () => {
        before?.stop();
        await before?.ended;
        return receiveBody(token, body, abort.signal);
      })();
      const entry = { stop: () => abort.abort(), ended: work.catch(() => {}) };
      writing.set(token.id, entry);
      try {
        return await work;
      } finally {
        if (writing.get(token.id) === entry) writing.delete(token.id);
      }
    },
  };
};
