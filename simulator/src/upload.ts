import { createHash } from 'node:crypto';
import type { TransferGateway } from './gateway-core.ts';

const maxTries = 5;
/** Status codes that allow a retry. */
const passing = [408, 409, 425, 429];

/** Number of bytes that the server already has. */
const receivedAt = async (url: string): Promise<number> => {
  const response = await fetch(url, { method: 'HEAD' });
  return response.ok ? Number(response.headers.get('upload-offset') ?? 0) : 0;
};

const put = async (url: string, body: Buffer, from: number) => {
  const range = from > 0 && { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` };
  const headers = { 'content-type': 'application/octet-stream', ...range };
  // If the server has all bytes and only the response was lost, sending the last part again completes the upload.
  const rest = new Uint8Array(body.subarray(from));
  return fetch(url, { method: 'PUT', headers, body: rest });
};

/** HTTP PUT with resume; `any`: over every link. Throws the reason after the last try. */
export const upload = async (
  gateway: Pick<TransferGateway, 'rate' | 'wait' | 'own'>,
  url: string,
  body: Buffer,
  any = false,
): Promise<{ size: number; sha256: string }> => {
  const result = { size: body.length, sha256: createHash('sha256').update(body).digest('hex') };
  let last = 'no link';
  for (let tries = 0; tries < maxTries; tries++) {
    const rate = gateway.rate(any);
    if (rate !== undefined) {
      try {
        const from = tries === 0 ? 0 : Math.min(await receivedAt(url), body.length - 1);
        await gateway.wait((body.length - from) / rate);
        gateway.own.add('file', body.length - from, 0);
        const response = await put(url, body, from);
        if (response.ok && response.status !== 202) return result;
        last = `HTTP ${response.status}`;
        if (response.status >= 400 && response.status < 500 && !passing.includes(response.status)) break;
      } catch (error) {
        last = error instanceof Error ? error.message : String(error);
      }
    }
    await gateway.wait(2 ** (tries + 1));
  }
  throw new Error(last);
};
