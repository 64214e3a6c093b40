import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import type { Config } from '../../env/config.ts';
import { fail, Refusal } from '../fail.ts';
import type { FileStore, Span } from './file-store.ts';

const replyTimeoutMs = 30_000;
const transferMs = 30 * 60_000;

interface Upload {
  readonly body: Blob | ReadableStream;
  readonly size: number;
}

/** Any S3-compatible bucket, path-style. Bodies are streamed, so their hash is unknown and stays unsigned. */
export const s3Store = ({ url, accessKey, secretKey, region }: NonNullable<Config['s3']>): FileStore => {
  const client = new AwsClient({ accessKeyId: accessKey, secretAccessKey: secretKey, service: 's3', region });

  const call = async (method: 'GET' | 'HEAD' | 'PUT' | 'DELETE', key: string, upload?: Upload, span?: Span): Promise<Response> => {
    const signed = await client.sign(`${url.replace(/\/$/, '')}/${key}`, { method });
    const headers = new Headers(signed.headers);
    // Without a length the body would be chunked, which S3 refuses.
    if (upload) headers.set('content-length', String(upload.size));
    if (span) headers.set('range', `bytes=${span.start}-${span.end}`);
    const response = await fetch(signed.url, {
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(upload || method === 'GET' ? transferMs : replyTimeoutMs),
      ...(upload && { body: upload.body, duplex: 'half' }),
    });
    // A range request must not return the whole file.
    const isWholeFile = span !== undefined && response.status === 200;
    if (response.ok && !isWholeFile) return response;
    await response.body?.cancel();
    if (response.status === 404) throw fail('not_found');
    throw new Error(`the file store answered ${response.status} to ${method} ${key}`);
  };

  return {
    put: async (key, source, size) => {
      const body = typeof source === 'string' ? await openAsBlob(source) : Readable.toWeb(source);
      await (await call('PUT', key, { body, size })).body?.cancel();
    },
    get: async (key, span) => {
      const { body } = await call('GET', key, undefined, span);
      return body ? Readable.fromWeb(body) : Readable.from([]);
    },
    size: async (key) => Number((await call('HEAD', key)).headers.get('content-length')),
    remove: async (key) => {
      try {
        await (await call('DELETE', key)).body?.cancel();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
    },
  };
};
