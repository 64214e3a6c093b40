import { createHash } from 'node:crypto';
import type { TransferGateway } from '../gateway-core.ts';

const maxTries = 5;
const passing = [408, 425, 429];

/** A retry cannot help. */
export class PermanentError extends Error {}

export const sha256Of = (body: Buffer): string => createHash('sha256').update(body).digest('hex');

/** Downloads a section or file that did not fit into the message. It uses any link, because the bundle waits for it. */
export const fetchFragment = async (
  gateway: Pick<TransferGateway, 'faults' | 'rate' | 'wait'>,
  url: string,
  maxBytes: number,
): Promise<Buffer> => {
  let last = 'no link';
  for (let tries = 0; tries < maxTries; tries++) {
    try {
      if (gateway.faults.file === 'net') throw new Error('connection lost');
      const response = await fetch(url);
      if (response.ok) {
        const body = Buffer.from(await response.arrayBuffer());
        if (body.length > maxBytes) throw new PermanentError(`${body.length} bytes instead of ${maxBytes}`);
        await gateway.wait(body.length / (gateway.rate() ?? 16_000));
        return body;
      }
      last = `HTTP ${response.status}`;
      if (response.status >= 400 && response.status < 500 && !passing.includes(response.status)) throw new PermanentError(last);
    } catch (error) {
      if (error instanceof PermanentError) throw error;
      last = error instanceof Error ? error.message : String(error);
    }
    await gateway.wait(2 ** (tries + 1));
  }
  throw new Error(last);
};
