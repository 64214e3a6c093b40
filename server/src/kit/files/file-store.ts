import type { Readable } from 'node:stream';

/** Byte range of a file, both ends included, always within the file. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Storage of files. A key is a path of plain names. A file is visible only when it is complete. */
export interface FileStore {
  /** Stores a file or a stream of known length. A source file stays in place and must not change. */
  put(key: string, source: string | Readable, size: number): Promise<void>;
  /** The whole file, or a byte range. A missing file is refused with `not_found`. */
  get(key: string, span?: Span): Promise<Readable>;
  size(key: string): Promise<number>;
  /** Removing a missing file is not an error. */
  remove(key: string): Promise<void>;
}
