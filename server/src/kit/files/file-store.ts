import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../../env/config.ts';
import { localStore } from './local-store.ts';
import { s3Store } from './s3-store.ts';

/** Bytes of a file, both ends included; they lie within it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where files are kept. A key is a path of plain names; a file appears under it whole, or not at all. */
export interface FileStore {
  /** From a file, which stays where it is and is not changed any more, or from a stream of known length. */
  put(key: string, source: string | Readable, size: number): Promise<void>;
  /** The whole file, or a span of it. Refuses with `not_found` what is not there. */
  get(key: string, span?: Span): Promise<Readable>;
  size(key: string): Promise<number>;
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>;
}

/** No `..`, no absolute path, nothing that a shell, a URL or a file system would read differently. */
const isWellFormed = (key: string) => key.length <= 512 && /^[A-Za-z0-9_][\w.-]*(\/[A-Za-z0-9_][\w.-]*)*$/.test(key);

const guarded = (store: FileStore): FileStore => {
  const checked = (key: string) => {
    if (!isWellFormed(key)) throw new Error(`not a key of a file: ${JSON.stringify(key)}`);
    return key;
  };
  return {
    put: async (key, source, size) => store.put(checked(key), source, size),
    get: async (key, span) => store.get(checked(key), span),
    size: async (key) => store.size(checked(key)),
    remove: async (key) => store.remove(checked(key)),
  };
};

/** The folder of the settings, or their bucket. */
export const openFileStore = (config: Pick<Config, 'dataDir' | 's3'>): FileStore =>
  guarded(config.s3 ? s3Store(config.s3) : localStore(join(config.dataDir, 'files')));
