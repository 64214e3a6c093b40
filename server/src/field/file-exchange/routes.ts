import { authorizationAt, mayReceive } from '@farlink/gateway/protocol/authorization.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../kit/deps.ts';
import { Refusal } from '../../kit/fail.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { forwardRequest, isForwarded } from '../../kit/process/forward.ts';
import { ownerOf } from '../../kit/process/peers.ts';
import type { Arrivals } from '../../orders/file-exchange.ts';
import { openToken, type Token } from '../../orders/file-exchange-token.ts';
import { openedFile, openedSection } from './config.ts';
import { download, storedContent } from './download.ts';
import { readContentRange } from './range.ts';
import { openUploads, type Receipt } from './upload.ts';

/** Limits of concurrent transfers, in total and per gateway. A request over the limit is retried later. */
const maxTransfers = { all: 500, device: 4 } as const;
const retryS = 30;
/** Idle timeout of a transfer; a satellite link may be silent for a while. */
const silenceMs = 120_000;

type Request = FastifyRequest<{ Params: { '*': string } }>;

const openSlots = () => {
  const ofDevice = new Map<number, number>();
  let all = 0;
  return (device: number): (() => void) | undefined => {
    const active = ofDevice.get(device) ?? 0;
    if (all >= maxTransfers.all || active >= maxTransfers.device) return undefined;
    all++;
    ofDevice.set(device, active + 1);
    return () => {
      all--;
      const remaining = (ofDevice.get(device) ?? 1) - 1;
      if (remaining > 0) ofDevice.set(device, remaining);
      else ofDevice.delete(device);
    };
  };
};

/** Refusals have no body, because each byte crosses a satellite link and gateways ignore it. */
const sendEmpty = (reply: FastifyReply, status: number, length = 0) => reply.status(status).header('content-length', length).send();

const receiptOf = (reply: FastifyReply, { status, offset, sha256 }: Receipt, isHead = false) => {
  const code = isHead ? 200 : status;
  reply.header('upload-offset', offset);
  if (sha256 !== undefined) reply.header('upload-complete', '?1').header('etag', `"${sha256}"`);
  // The rest of a refused request is not read.
  if (code >= 400) reply.header('connection', 'close');
  return sendEmpty(reply, code, isHead ? offset : 0);
};

export const fileExchangeRoutes =
  (deps: Deps, arrivals: Arrivals = {}) =>
  async (app: FastifyInstance) => {
    const store = openFileStore(deps.config);
    const uploads = openUploads(deps, store, arrivals);
    const takeSlot = openSlots();

    const mayTransfer = async ({ device }: Token): Promise<'ok' | 'gone' | 'denied'> => {
      const row = await deps.db.selectFrom('device').select(['auth_status', 'auth_expire_at']).where('id', '=', device).executeTakeFirst();
      if (!row) return 'gone';
      return mayReceive(authorizationAt(row.auth_status, row.auth_expire_at, deps.clock.now())) ? 'ok' : 'denied';
    };

    /** Common checks: the token is valid, not expired, and belongs to an authorized device. */
    const guarded =
      (serve: (token: Token, request: Request, reply: FastifyReply) => Promise<FastifyReply>) =>
      async (request: Request, reply: FastifyReply): Promise<FastifyReply> => {
        const token = openToken(deps.config, request.params['*']);
        if (!token) return sendEmpty(reply, 404);
        if (token.until <= deps.clock.now()) return sendEmpty(reply, 410);
        const state = await mayTransfer(token);
        if (state !== 'ok') return sendEmpty(reply, state === 'gone' ? 404 : 403);
        const releaseSlot = takeSlot(token.device);
        if (!releaseSlot) return sendEmpty(reply.header('retry-after', retryS), 429);
        reply.raw.once('close', releaseSlot);
        request.raw.setTimeout(silenceMs, () => request.raw.destroy());
        try {
          return await serve(token, request, reply);
        } catch (error) {
          if (error instanceof Refusal && error.reason === 'not_found') return sendEmpty(reply, 404);
          if (request.raw.destroyed || request.raw.errored) return reply;
          request.log.warn({ err: error, device: token.device }, 'file exchange failed');
          return sendEmpty(reply.header('retry-after', retryS), 503);
        }
      };

    /** The bytes of an interrupted upload are in the folder of one process. */
    const forwardToOwner = async (token: Token, request: Request, reply: FastifyReply): Promise<boolean> => {
      const peer = token.kind !== 'write' || isForwarded(request.raw) ? undefined : await ownerOf(deps, token.id);
      if (!peer) return false;
      reply.hijack();
      forwardRequest(peer, request.raw, reply.raw, (res) =>
        res.writeHead(503, { 'retry-after': String(retryS), 'content-length': '0' }).end(),
      );
      return true;
    };

    const read = guarded(async (token, request, reply) => {
      if (token.kind === 'read') return download(request, reply, await storedContent(store, token));
      if (token.kind === 'secret') return download(request, reply, await openedFile(deps, store, token));
      if (token.kind === 'section') return download(request, reply, await openedSection(deps, token));
      if (request.method !== 'HEAD') return sendEmpty(reply.header('allow', 'HEAD, PUT'), 405);
      if (await forwardToOwner(token, request, reply)) return reply;
      return receiptOf(reply, await uploads.state(token), true);
    });

    const write = guarded(async (token, request, reply) => {
      if (token.kind !== 'write') return sendEmpty(reply.header('allow', 'GET, HEAD').header('connection', 'close'), 405);
      if (await forwardToOwner(token, request, reply)) return reply;
      const rangeHeader = request.headers['content-range'];
      const range = rangeHeader === undefined ? undefined : readContentRange(rangeHeader);
      if (rangeHeader !== undefined && !range) return receiptOf(reply, await uploads.refuse(token));
      const contentLength = request.headers['content-length'];
      return receiptOf(
        reply,
        await uploads.receive(token, {
          stream: request.raw,
          length: contentLength === undefined ? undefined : Number(contentLength),
          range,
        }),
      );
    });

    app.removeAllContentTypeParsers();
    // Handlers read the body as a stream.
    app.addContentTypeParser('*', (_, __, done) => done(null));
    // The URL is a credential, so it stays out of the log.
    const quiet = { logLevel: 'warn', exposeHeadRoute: false } as const;
    app.route({ method: ['GET', 'HEAD'], url: '/depot/*', ...quiet, handler: read });
    app.route({ method: 'PUT', url: '/depot/*', ...quiet, handler: write });
  };
