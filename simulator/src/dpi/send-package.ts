import type { TransferGateway } from '../gateway-core.ts';

const maxTries = 5;
const pieceBytes = 64 * 1024;
/** Status codes that allow a retry. */
const passing = [202, 408, 409, 425, 429];

class Refused extends Error {}

interface Sending {
  readonly url: string;
  readonly body: Buffer;
  /** Bytes per second; 0 is unlimited. */
  readonly speed: number;
  isStopped(): boolean;
  onProgress(pct: number): void;
}

/** Number of bytes that the console already has. */
const receivedAt = async (url: string): Promise<number> => {
  const response = await fetch(url, { method: 'HEAD' });
  return response.ok ? Number(response.headers.get('upload-offset') ?? 0) : 0;
};

const put = (url: string, body: Buffer, from: number, to: number) =>
  fetch(url, {
    method: 'PUT',
    headers: {
      'content-type': 'application/octet-stream',
      // Without data, the request completes the file or asks for the offset.
      'content-range': from < to ? `bytes ${from}-${to - 1}/${body.length}` : `bytes */${body.length}`,
    },
    ...(from < to && { body: new Uint8Array(body.subarray(from, to)) }),
  });

/** Uploads in pieces, so that the speed limit, a stop and the progress take effect. Pieces end at 99 % for faults that break there. */
const endOf = (from: number, size: number) => {
  const late = Math.floor(size * 0.99);
  const end = Math.min(size, from + pieceBytes);
  return from < late && end > late ? late : end;
};

type SendGateway = Pick<TransferGateway, 'rate' | 'wait' | 'own' | 'faults'>;

const isPaused = ({ faults: { hold } }: SendGateway, pct: number) => hold !== undefined && pct >= hold;

/** Sends what the console does not have yet. Resolves when the file is complete, or when it was stopped. */
const sendRest = async (gateway: SendGateway, { url, body, speed, isStopped, onProgress }: Sending) => {
  for (let from = await receivedAt(url); !isStopped(); ) {
    const pct = Math.floor((from * 100) / Math.max(1, body.length));
    onProgress(Math.min(99, pct));
    const rate = gateway.rate();
    if (rate === undefined || isPaused(gateway, pct)) {
      await gateway.wait(5);
      continue;
    }
    if (gateway.faults.drops > 0 && pct >= 98) {
      gateway.faults.drops--;
      throw new Error('connection lost');
    }
    const to = endOf(from, body.length);
    await gateway.wait((to - from) / (speed > 0 ? Math.min(rate, speed) : rate));
    gateway.own.add('file', to - from, 0);
    const response = await put(url, body, from, to);
    if (response.ok && response.status !== 202) return;
    if (response.status === 413) throw new Refused('limit');
    if (!passing.includes(response.status)) {
      const err = `HTTP ${response.status}`;
      throw response.status < 500 ? new Refused(err) : new Error(err);
    }
    from = Number(response.headers.get('upload-offset') ?? from);
  }
};

/** HTTP PUT that resumes at the offset of the console, also after a new command. Throws the reason after the last try. */
export const sendPackage = async (gateway: SendGateway, sending: Sending) => {
  for (let tries = 1; ; tries++) {
    try {
      if (gateway.faults.dpi === 'upload') throw new Error('connection refused');
      return await sendRest(gateway, sending);
    } catch (error) {
      if (error instanceof Refused || tries >= maxTries) throw error;
    }
    await gateway.wait(2 ** tries);
  }
};
