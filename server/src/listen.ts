import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { reasonOf, StartError } from './start-error.ts';

type Place = Pick<Config, 'host' | 'port'>;

const explain = (error: unknown, { host, port }: Place) => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} is already in use: stop the program that has it or set PORT to another one.`);
  if (code === 'EACCES') return new StartError(`This user may not open port ${port}: set PORT to one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartError(`HOST ${host} is not an address of this machine.`);
  return new StartError(`Port ${port} cannot be opened: ${reasonOf(error)}.`);
};

/** Told in the first moment instead of after the database has started and the demo world is made. */
export const refuseBusyPort = (place: Place) =>
  new Promise<void>((free, busy) => {
    const probe = createServer();
    probe.once('error', (error) => busy(explain(error, place)));
    probe.listen(place.port, place.host, () => probe.close(() => free()));
  });

/** Opens the port and gives the address that a person types. */
export const listenOn = async (app: FastifyInstance, place: Place): Promise<string> => {
  try {
    await app.listen({ host: place.host, port: place.port });
  } catch (error) {
    throw explain(error, place);
  }
  const bound = app.server.address();
  const port = bound && typeof bound === 'object' ? bound.port : place.port;
  const anywhere = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(place.host);
  return `http://${anywhere ? 'localhost' : place.host.includes(':') ? `[${place.host}]` : place.host}:${port}`;
};
