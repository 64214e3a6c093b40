import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';

export interface AcmeReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const timeoutMs = 20_000;
const maxBytes = 1024 * 1024;

/** One HTTPS request to a certificate authority, with a time limit and a size limit. */
export const acmeRequest = (
  url: string,
  { method, body, ca }: { readonly method: 'GET' | 'HEAD' | 'POST'; readonly body?: string; readonly ca: string | undefined },
): Promise<AcmeReply> =>
  new Promise((done, failed) => {
    const headers = { 'user-agent': 'farlink', ...(body !== undefined && { 'content-type': 'application/jose+json' }) };
    const sent = request(url, { method, headers, signal: AbortSignal.timeout(timeoutMs), agent: false, ...(ca && { ca }) }, (reply) => {
      const chunks: Buffer[] = [];
      let size = 0;
      reply.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) reply.destroy(new Error('the reply is too large'));
        else chunks.push(chunk);
      });
      reply.on('error', failed);
      reply.on('end', () => done({ status: reply.statusCode ?? 0, headers: reply.headers, text: Buffer.concat(chunks).toString('utf8') }));
    });
    sent.on('error', failed);
    sent.end(body);
  });
