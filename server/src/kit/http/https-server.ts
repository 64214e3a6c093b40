import { createServer } from 'node:https';
import type { SecureContext } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { CertificatePair } from '../tls/context-cache.ts';
import { limitClosing } from './limit-closing.ts';
import { limitUnfinishedRequests, type UnfinishedLimits } from './limit-unfinished.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Opens HTTPS, after the application listens. Undefined without HTTPS_PORT. */
    listenHttps: (() => Promise<number>) | undefined;
  }
}

export interface HttpsOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  readonly unfinished: UnfinishedLimits;
  /** For clients without a server name, and for unknown names. */
  readonly fallback: CertificatePair;
  /** Runs in each handshake, so it must not wait for anything. */
  readonly contextOf: (serverName: string) => SecureContext | undefined;
}

/**
 * Serves the same application over HTTPS. Requests and upgrades are passed to its HTTP server, so its routes, limits and web sockets apply
 * to both. It closes with the application.
 */
export const addHttps = (app: FastifyInstance, { host, port, log, unfinished, fallback, contextOf }: HttpsOptions) => {
  const { server: plain } = app;
  const server = createServer({
    ...fallback,
    minVersion: 'TLSv1.2',
    handshakeTimeout: unfinished.timeoutMs,
    headersTimeout: plain.headersTimeout,
    requestTimeout: plain.requestTimeout,
    keepAliveTimeout: plain.keepAliveTimeout,
    connectionsCheckingInterval: 5000,
    SNICallback: (serverName, done) => {
      try {
        done(null, contextOf(serverName));
      } catch (error) {
        log.error({ name: serverName, reason: String(error) }, 'certificate not usable');
        done(null);
      }
    },
  });
  server.on('request', (request, response) => plain.emit('request', request, response));
  server.removeAllListeners('tlsClientError').on('tlsClientError', (error, socket) => {
    log.debug({ reason: error.message }, 'HTTPS handshake failed');
    socket.destroy();
  });
  server.on('clientError', (error, socket) => plain.emit('clientError', error, socket));
  limitUnfinishedRequests(server, unfinished, log);
  const endSockets = limitClosing(server);
  let closed: Promise<void> | undefined;
  app.addHook('preClose', async () => {
    closed = new Promise((done) => server.close(() => done()));
    server.closeIdleConnections();
    endSockets();
  });
  app.addHook('onClose', async () => closed);
  server.on('error', (error) => log.warn({ reason: error.message }, 'HTTPS listener failed'));
  app.listenHttps = () => {
    // Without a listener, Node answers an upgrade as an ordinary request.
    if (plain.listenerCount('upgrade') > 0) server.on('upgrade', (request, socket, head) => plain.emit('upgrade', request, socket, head));
    return new Promise((bound, failed) => {
      server.once('error', failed);
      server.listen({ host, port, backlog: 1024 }, () => {
        server.off('error', failed);
        const address = server.address();
        bound(address && typeof address === 'object' ? address.port : port);
      });
    });
  };
};
