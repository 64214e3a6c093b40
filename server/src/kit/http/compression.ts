import { constants } from 'node:zlib';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { FastifyCompressOptions } from '@fastify/compress';

/**
 * Compresses JSON replies above 1 KB. Brotli 4 and gzip 6 use similar CPU time, and brotli is smaller. Each compressed route names these
 * options, because options of a route replace those of the plugin.
 */
export const compression: FastifyCompressOptions = {
  // Enabled per route. Request bodies are never decompressed, so a compression bomb is impossible.
  globalCompression: false,
  globalDecompression: false,
  threshold: 1024,
  // A page of a list takes 0.2 ms at once; a stream costs more than that and waits for a thread.
  syncThreshold: 64 * 1024,
  customTypes: /^application\/json/,
  encodings: ['br', 'gzip'],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } },
  zlibOptions: { level: 6 },
};

const reads: readonly Endpoint['kind'][] = ['list', 'detail', 'option', 'tree'];

/**
 * Only reads are compressed. Streams and files are sent unchanged, and the length of replies with tokens must not reveal their content
 * (BREACH).
 */
export const isCompressed = ({ kind, access }: Pick<Endpoint, 'kind' | 'access'>): boolean => access !== 'public' && reads.includes(kind);
