import { constants } from 'node:zlib';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { FastifyCompressOptions } from '@fastify/compress';

/** Answers in JSON above 1 KB. Brotli 4 and gzip 6 cost about as much processor time, and brotli is smaller. */
export const compression: FastifyCompressOptions = {
  // Routes ask for it; bodies of requests are never unpacked, so none can be a bomb.
  globalCompression: false,
  globalDecompression: false,
  threshold: 1024,
  customTypes: /^application\/json/,
  encodings: ['br', 'gzip'],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } },
  zlibOptions: { level: 6 },
};

const reads: readonly Endpoint['kind'][] = ['list', 'detail', 'option', 'tree'];

/**
 * Reads alone. Streams and files pass as they are, and answers with tokens (login, remote sessions) must not show by their compressed
 * length what they contain (BREACH).
 */
export const isCompressed = ({ kind, access }: Pick<Endpoint, 'kind' | 'access'>): boolean => access !== 'public' && reads.includes(kind);
