import type { IncomingMessage, Server } from 'node:http';

export interface BodyRate {
  /** Time allowed for a body of any size. */
  readonly graceMs: number;
  /** Minimum average rate after that. Every satellite link is faster. */
  readonly bytesPerS: number;
  readonly checkMs: number;
}

const defaultRate: BodyRate = { graceMs: 30_000, bytesPerS: 200, checkMs: 5000 };

const hasBody = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Ends connections with very slow request bodies, because a client could hold hundreds of them open. */
export const refuseSlowBodies = (
  server: Server,
  applies: (url: string) => boolean = () => true,
  rate = defaultRate,
  now = () => performance.now(),
) => {
  const receiving = new Map<IncomingMessage, { readonly since: number; readonly before: number }>();
  server.on('request', (request: IncomingMessage) => {
    if (request.complete || !hasBody(request) || !applies(request.url ?? '')) return;
    receiving.set(request, { since: now(), before: request.socket.bytesRead });
    const done = () => receiving.delete(request);
    request.once('end', done).once('close', done);
  });
  const check = () => {
    for (const [request, { since, before }] of receiving) {
      const { socket } = request;
      const allowedMs = rate.graceMs + ((socket.bytesRead - before) / rate.bytesPerS) * 1000;
      if (now() - since > allowedMs) socket.destroy();
    }
  };
  const timer = setInterval(check, rate.checkMs).unref();
  server.once('close', () => clearInterval(timer));
  return { receiving: () => receiving.size };
};
