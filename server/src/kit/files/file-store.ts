import type { Readable } from 'node:stream';

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
