import type { Span } from '../../kit/files/file-store.ts';

/** `Range` of a request: one span of bytes, or nothing where the whole file is to be answered, or `outside`. */
export const readRange = (header: string | undefined, size: number): Span | 'outside' | undefined => {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return Number(last) === 0 || size === 0 ? 'outside' : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)];
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'outside' : { start, end };
};

export interface ContentRange {
  /** Undefined: nothing is sent, only asked how far it is. */
  readonly span: Span | undefined;
  readonly total: number;
}

/** `Content-Range` of a part: `bytes 0-99/500`, or with a star for the numbers to finish or to ask. */
export const readContentRange = (header: string): ContentRange | undefined => {
  const [, first, last, size] = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/.exec(header.trim()) ?? [];
  if (size === undefined) return undefined;
  const total = Number(size);
  if (first === undefined || last === undefined) return { span: undefined, total };
  const span = { start: Number(first), end: Number(last) };
  return span.start <= span.end && span.end < total ? { span, total } : undefined;
};
