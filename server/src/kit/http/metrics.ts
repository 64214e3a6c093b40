import { statfs } from 'node:fs/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Deps } from '../deps.ts';
import { fail } from '../fail.ts';
import { internalErrors } from '../internal-error.ts';
import { isDirect } from './direct-caller.ts';
import { isPrivate } from './private-address.ts';

/** Size and free bytes of the file system of DATA_DIR, as far as users without privileges can use it. */
const sizesOf = async (folder: string) => {
  const { bavail, bfree, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: (blocks - bfree + bavail) * bsize };
};

/** A folder that cannot be read has no values, so a scrape never fails because of it. */
const addDiskMetrics = (register: Registry, folder: string) => {
  for (const part of ['free', 'total'] as const)
    new Gauge({
      name: `farlink_disk_${part}_bytes`,
      help: part === 'free' ? 'Free bytes of the file system of DATA_DIR' : 'Bytes of the file system of DATA_DIR, used and free',
      registers: [register],
      async collect() {
        const sizes = await sizesOf(folder).catch(() => undefined);
        if (sizes) this.set(sizes[part]);
        else this.remove();
      },
    });
};

/** Values counted elsewhere in the process, read on each scrape. */
export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  /** Without a label there is one value, under the empty name. */
  readonly label?: string;
  read(): Readonly<Record<string, number>>;
}

/** Values that are read from the database. */
export interface QueriedGauge extends Omit<GaugeSource, 'read'> {
  read(): Promise<Readonly<Record<string, number>>>;
}

export type AnyGauge = GaugeSource | QueriedGauge;

const unexpected: GaugeSource = {
  name: 'internal_errors',
  help: 'Errors that no code expected, by where they came from; each is in the log',
  label: 'source',
  read: internalErrors,
};

/** True if the caller is in a private network and no proxy forwarded the request. Proxied requests come from outside. */
const isNeighbour = (request: FastifyRequest) => isDirect(request) && isPrivate(request.raw.socket.remoteAddress ?? '');

/** Prometheus metrics of the process and its pool. */
export const openMetrics = ({ pool, log, config }: Pick<Deps, 'pool' | 'log' | 'config'>, more: readonly AnyGauge[] = []): Registry => {
  const register = new Registry();
  collectDefaultMetrics({ register });
  addDiskMetrics(register, config.dataDir);
  new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool',
    labelNames: ['state'],
    registers: [register],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  for (const { name, help, label, read } of [unexpected, ...more])
    new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [register],
      async collect() {
        try {
          const found = await read();
          this.reset();
          // A reset sets a value without labels to 0.
          if (label === undefined) this.remove();
          for (const [value, count] of Object.entries(found)) this.set(label === undefined ? {} : { [label]: value }, count);
        } catch (err) {
          // A value that cannot be read is missing; the others are served.
          log.warn({ err, metric: name }, 'metric not read');
          this.remove();
        }
      },
    });
  return register;
};

/** Metrics of the api, with the duration of each route. */
export const addMetrics = (app: FastifyInstance, deps: Deps, more: readonly AnyGauge[] = []) => {
  const register = openMetrics(deps, more);
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Duration of requests',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10],
    registers: [register],
  });
  app.addHook('onResponse', async (request, reply) => {
    seconds.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });
  app.get('/metrics', async (request, reply) => {
    if (!isNeighbour(request)) throw fail('not_found');
    return reply.type(register.contentType).send(await register.metrics());
  });
};
