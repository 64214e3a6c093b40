import type { Span } from '../../kit/files/file-store.ts';

/** Parses a `Range` header: one span of bytes, undefined for the whole file, or `outside`. */
export const readRange = (header: string | undefined, size: number): Span | 'outside' | undefined => {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return Number(last) === 0 || size === 0 ? 'outside' : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'outside' : { start, end };
};

export interface ContentRange {
  /** Undefined: no data is sent; the request finishes the upload or reads its offset. */
  readonly span: Span | undefined;
  readonly total: number;
}

/** Parses the `Content-Range` of an upload chunk: `bytes 0-99/500`, or `*` for the span to finish or to read the offset. */
export const readContentRange = (header: string): ContentRange | undefined => {
  const [, first, last, size] = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/.exec(header.trim()) ?? [];
  if (size === undefined) return undefined;
  const total = Number(size);
  if (first === undefined || last === undefined) return { span: undefined, total };
  const span = { start: Number(first), end: Number(last) };
  return span.start <= span.end && span.end < total ? { span, total } : undefined;
};
