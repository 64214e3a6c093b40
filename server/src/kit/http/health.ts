import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { reasonOf, StartError } from '../../env/start-error.ts';
import type { Deps } from '../deps.ts';
import { isDraining } from './drain.ts';
import { limitUnfinishedRequests } from './limit-unfinished.ts';
import { type AnyGauge, openMetrics } from './metrics.ts';
import { isPrivate } from './private-address.ts';

/** True while the database answers and the process is not about to end. */
export const isReady = async ({ db, pool }: Pick<Deps, 'db' | 'pool'>): Promise<boolean> => {
  if (isDraining({ pool })) return false;
  try {
    await sql`select 1 from migration limit 1`.execute(db);
    return true;
  } catch {
    return false;
  }
};

/** /healthz and /metrics of a process with any role. Metrics are for private addresses only. */
export const openHealth = async (deps: Deps, { host, port }: { host: string; port: number }, gauges: readonly AnyGauge[]) => {
  const metrics = openMetrics(deps, gauges);
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?')[0];
    if (path === '/healthz') {
      const ready = await isReady(deps);
      response
        .writeHead(ready ? 200 : 503, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ready, roles: deps.config.roles }));
    } else if (path === '/metrics' && isPrivate(request.socket.remoteAddress ?? '') && request.headers['x-forwarded-for'] === undefined)
      response.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.metrics());
    else response.writeHead(404).end();
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((err) => {
      deps.log.warn({ err }, 'health request failed');
      response.destroy();
    });
  });
  limitUnfinishedRequests(server, deps.config.unfinished, deps.log);
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new StartError(`HEALTH_PORT ${port} cannot be opened: ${reasonOf(error)}.`);
  }
  server.on('error', (error) => deps.log.warn({ reason: error.message }, 'health listener failed'));
  const address = server.address();
  return {
    port: address && typeof address === 'object' ? address.port : port,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
};
