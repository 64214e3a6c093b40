import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';

/** Processes that are about to end, by their database pool. */
const draining = new WeakSet<Deps['pool']>();

export const isDraining = ({ pool }: Pick<Deps, 'pool'>): boolean => draining.has(pool);

/**
 * The first step of a graceful stop: /healthz answers 503, so that a proxy sends its calls to another process, and each reply ends its
 * connection. Calls are still served.
 */
export const drain = async ({ pool, config }: Pick<Deps, 'pool' | 'config'>): Promise<void> => {
  draining.add(pool);
  await pause(config.drainSeconds * 1000);
};

/** Keep-alive connections end with a reply, so none is cut while a call is on its way. */
export const endConnections = (app: FastifyInstance, deps: Pick<Deps, 'pool'>) => {
  app.addHook('onSend', async (_, reply) => {
    if (isDraining(deps)) reply.header('connection', 'close');
  });
};
