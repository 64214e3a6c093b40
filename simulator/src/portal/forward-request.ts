import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { type Handover, type PortalSection, signHandover } from '@farlink/gateway/protocol/portal.ts';

/** A request of a client that the console answers. */
export interface ForwardedRequest {
  readonly method: string;
  /** Below `host`, with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable | undefined;
}

export interface ForwardedReply {
  readonly status: number;
  readonly mime: string;
  /** Target of a redirect: a path below the portal of the gateway, or another site. */
  readonly location: string | undefined;
  readonly cache: string;
  readonly body: Readable | undefined;
}

/** The console did not answer. */
export class Unreachable extends Error {}
/** The request is larger than the portal accepts. */
export class TooLarge extends Error {}

/** Three images of 2 MB and a form. */
const maxRequest = 7 * 1024 * 1024;
const maxReply = 4 * 1024 * 1024;
const defaultTimeoutMs = 15_000;

/** Headers that a form needs. Cookies and addresses of the client do not leave the gateway. */
const forwardedHeaders = ['accept', 'accept-language', 'content-type'] as const;

const bytesOf = async (body: Readable, max: number): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > max) throw new TooLarge(`more than ${max} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** A redirect below `host` becomes one below the gateway. Others must be web addresses. */
export const ownLocation = (host: string, location: string): string | undefined => {
  if (!URL.canParse(location, host)) return undefined;
  const target = new URL(location, host);
  const base = new URL(host);
  if (target.origin !== base.origin) return /^https?:$/.test(target.protocol) ? target.href : undefined;
  const path = target.pathname + target.search;
  return path.startsWith(base.pathname) ? `/${path.slice(base.pathname.length)}` : undefined;
};

/** The chunks of a reply, up to the limit. */
async function* chunksOf(body: ReadableStream<Uint8Array>, max: number) {
  const reader = body.getReader();
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    size += value.length;
    if (size > max) throw new TooLarge(`more than ${max} bytes`);
    yield value;
  }
}

/** Passes a request on to the hosted portal, signed with the key of this gateway. */
export const forwardRequest = async (
  { host, key }: Pick<PortalSection, 'host' | 'key'>,
  client: Handover,
  { method, path, headers, body }: ForwardedRequest,
  timeoutMs = defaultTimeoutMs,
): Promise<ForwardedReply> => {
  if (Number(headers['content-length'] ?? 0) > maxRequest) throw new TooLarge('content-length');
  const sent = Object.fromEntries(forwardedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
  const content = body && (await bytesOf(body, maxRequest));
  try {
    const response = await fetch(new URL(path, host), {
      method,
      headers: { ...sent, 'x-farlink-client': signHandover(key, client) },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(content && { body: content }),
    });
    const location = response.headers.get('location');
    return {
      status: response.status,
      mime: response.headers.get('content-type') ?? 'application/octet-stream',
      location: location === null ? undefined : ownLocation(host, location),
      cache: response.headers.get('cache-control') ?? 'no-store',
      body: response.body ? Readable.from(chunksOf(response.body, maxReply)) : undefined,
    };
  } catch (error) {
    throw new Unreachable(error instanceof Error ? error.message : String(error));
  }
};
