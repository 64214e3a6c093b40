import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FileStore, Span } from '../../kit/files/file-store.ts';
import type { ReadToken } from '../../orders/file-exchange-token.ts';
import { readRange } from './range.ts';

/** Content of a download and its reader. */
export interface Content {
  readonly size: number;
  readonly hash: string;
  read(span: Span | undefined): Promise<Readable | Buffer>;
}

export const storedContent = async (store: FileStore, { key, sha256 }: ReadToken): Promise<Content> => ({
  size: await store.size(key),
  hash: sha256,
  read: (span) => store.get(key, span),
});

export const wholeContent = (bytes: Buffer, hash: string): Content => ({
  size: bytes.length,
  hash,
  read: async (span) => (span ? bytes.subarray(span.start, span.end + 1) : bytes),
});

/** An unknown validator, a weak one or a date cannot prove that the file is unchanged, so the whole file is sent. */
const isUnchanged = (ifRange: string | string[] | undefined, etag: string) => ifRange === undefined || ifRange === etag;

export const download = async (request: FastifyRequest, reply: FastifyReply, { size, hash, read }: Content) => {
  const etag = `"${hash}"`;
  reply.headers({ etag, 'accept-ranges': 'bytes', 'cache-control': 'private, no-transform', 'content-type': 'application/octet-stream' });
  const ifNoneMatch = request.headers['if-none-match'];
  if (
    ifNoneMatch
      ?.split(',')
      .map((tag) => tag.trim())
      .includes(etag)
  )
    return reply.status(304).send();
  const span = isUnchanged(request.headers['if-range'], etag) ? readRange(request.headers.range, size) : undefined;
  if (span === 'outside') return reply.status(416).header('content-range', `bytes */${size}`).send();
  if (span) reply.status(206).header('content-range', `bytes ${span.start}-${span.end}/${size}`);
  reply.header('content-length', span ? span.end - span.start + 1 : size);
  if (request.method === 'HEAD' || size === 0) return reply.send();
  return reply.send(await read(span));
};
