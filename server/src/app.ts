import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@farlink/contract/endpoints.ts';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { bindings } from './bindings.ts';
import { backupArrived } from './domain/backup/backup-arrived.ts';
import { challengeRoute } from './domain/custom-domain/acme/challenge-route.ts';
import { openDomainRegistry } from './domain/custom-domain/domain-registry.ts';
import { addDomainRules, isSharedPath } from './domain/custom-domain/domain-rules.ts';
import { serveHttps } from './domain/custom-domain/serve-https.ts';
import { dpiArrived } from './domain/dpi-task/dpi-arrived.ts';
import { gatewayRoutes } from './field/enrolment/gateway-routes.ts';
import { fileExchangeRoutes } from './field/file-exchange/routes.ts';
import type { Deps } from './kit/deps.ts';
import { fail } from './kit/fail.ts';
import { compression } from './kit/http/compression.ts';
import { endConnections } from './kit/http/drain.ts';
import { addHeaders } from './kit/http/headers.ts';
import { isReady } from './kit/http/health.ts';
import { limitClosing } from './kit/http/limit-closing.ts';
import { limitUnfinishedRequests } from './kit/http/limit-unfinished.ts';
import { type AnyGauge, addMetrics } from './kit/http/metrics.ts';
import { openapiOf } from './kit/http/openapi.ts';
import { replyError } from './kit/http/send-reply.ts';
import { langOf, serve } from './kit/http/serve.ts';
import { refuseSlowBodies } from './kit/http/slow-bodies.ts';
import { openSessionCache } from './kit/session/session-cache.ts';
import { closeLive } from './modules/device/live/live.ts';
import { logoRoutes } from './modules/market/brand.ts';
import { payNotify } from './modules/payment/notify.ts';
import { portalPreviewRoutes } from './modules/portal/preview-routes.ts';
import { isPortalPath, portalHost, portalPath } from './portal-host/portal-host.ts';

const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url));

const serveConsole = async (app: FastifyInstance) => {
  if (!existsSync(webRoot)) return;
  await app.register(fastifyStatic, {
    root: webRoot,
    preCompressed: true,
    setHeaders: (reply, path) => {
      // Built file names contain their hash; the page that refers to them must always be revalidated.
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
};

/** Console and API on one port. The caller owns the dependencies. */
export const buildApp = async (deps: Deps, gauges: readonly AnyGauge[] = []): Promise<FastifyInstance> => {
  const loggerInstance: FastifyBaseLogger = deps.log;
  const domains = await openDomainRegistry(deps);
  const app = Fastify({
    loggerInstance,
    // Skips building log lines that would not be written.
    logController: new LogController({ disableRequestLogging: !deps.log.isLevelEnabled('info') }),
    genReqId: () => randomUUID(),
    // Trusts only the nearest proxy: addresses that it got from its own clients can be forged.
    trustProxy: deps.config.trustProxy === true ? (_, hop) => hop === 0 : deps.config.trustProxy,
    bodyLimit: 1024 * 1024,
    // The whole host of a portal domain is its portal.
    rewriteUrl: ({ url = '/', headers }) => {
      const owner = domains.ownerOf(headers.host);
      return owner?.use === 'portal' && !isSharedPath(url) ? portalPath(owner.agent_id, url) : url;
    },
    // A stop drains first; a call that still arrives on an open connection is served.
    return503OnClosing: false,
    http: { headersTimeout: 30_000, connectionsCheckingInterval: 5000 },
    frameworkErrors: (error, request, reply) => replyError(request, reply, error, langOf(request)),
  });
  // File exchange is excluded, because a gateway on the slowest link needs time; it ends silent transfers itself.
  refuseSlowBodies(app.server, (url) => !url.startsWith('/depot/'));
  limitUnfinishedRequests(app.server, deps.config.unfinished, deps.log);
  const endSockets = limitClosing(app.server);
  app.addHook('preClose', async () => endSockets());
  app.server.on('error', (error) => deps.log.warn({ reason: error.message }, 'console listener failed'));
  // Set before any route, because existing routes would keep the framework's error texts.
  app.setErrorHandler((error, request, reply) => replyError(request, reply, error, langOf(request)));
  await app.register(cookie);
  await app.register(multipart);
  await app.register(compress, compression);
  addHeaders(app, deps.config.production);
  endConnections(app, deps);
  app.addHook('onClose', () => domains.close());
  addDomainRules(app, deps, domains);
  app.addHook('onRequest', async ({ domainOwner, url }) => {
    // The host of a portal has no console and no operator API.
    if (domainOwner?.use === 'portal' && !isSharedPath(url) && !isPortalPath(url)) throw fail('not_found');
  });
  // No page or file has such a name, and the file system would report an internal error.
  app.addHook('onRequest', async ({ url }) => {
    if (/^[^?]*%00/.test(url)) throw fail('not_found');
  });
  addMetrics(app, deps, gauges);
  app.get('/healthz', async (_, reply) => {
    const ready = await isReady(deps);
    return reply.status(ready ? 200 : 503).send({ ready });
  });
  challengeRoute(app, deps);
  const openapi = openapiOf(endpoints);
  app.get('/agt/v1/openapi.json', { compress: compression }, async () => openapi);
  const sessions = openSessionCache(deps.pool);
  app.addHook('onClose', async () => sessions.close());
  serve(app, deps, bindings);
  // Streams never end by themselves, and closing waits for every reply.
  app.addHook('preClose', () => closeLive(deps));
  await app.register(payNotify(deps));
  await app.register(logoRoutes(deps));
  await app.register(fileExchangeRoutes(deps, { backup: backupArrived, dpi: dpiArrived }));
  await app.register(gatewayRoutes(deps));
  await app.register(portalPreviewRoutes(deps));
  await app.register(portalHost(deps));
  if (deps.remote) await app.register(deps.remote.routes);
  await serveConsole(app);
  serveHttps(app, deps, domains);
  app.setNotFoundHandler((request, reply) => {
    // Every other path is a page of the console, except API calls, missing built files and paths of all hosts.
    const isPage = !/^\/(agt|assets)\//.test(request.url) && !isSharedPath(request.url);
    // The reply is not returned: waiting for it would add listeners above the limit at which Node warns of a leak.
    if (request.method === 'GET' && isPage && existsSync(webRoot)) void reply.header('cache-control', 'no-cache').sendFile('index.html');
    else replyError(request, reply, fail('not_found'), langOf(request));
  });
  return app;
};
