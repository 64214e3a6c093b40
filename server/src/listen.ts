import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from './env/config.ts';
import { reasonOf, StartError } from './env/start-error.ts';

type ListenAddress = Pick<Config, 'host' | 'port'>;
/** The variable that sets a port. */
type PortName = 'PORT' | 'HTTPS_PORT';

const explain = (error: unknown, { host, port }: ListenAddress, name: PortName = 'PORT') => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} is already in use: stop the program that uses it or set ${name} to another one.`);
  if (code === 'EACCES') return new StartError(`This user cannot open port ${port}: set ${name} to one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartError(`HOST ${host} is not an address of this machine.`);
  return new StartError(`Port ${port} cannot be opened: ${reasonOf(error)}.`);
};

const probe = ({ host, port }: ListenAddress) =>
  new Promise<void>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

/** Below the ephemeral port range, so that no connection takes the port before it is opened. */
const anyPort = () => randomInt(20_000, 32_000);

/**
 * Chooses the port before it is published. A port in use is reported at once, instead of after the start of the database and the demo data.
 */
export const choosePort = async ({ host, port }: ListenAddress, name: PortName = 'PORT'): Promise<number> => {
  for (;;) {
    const address = { host, port: port || anyPort() };
    try {
      await probe(address);
      return address.port;
    } catch (error) {
      if (port !== 0 || !isTaken(error)) throw explain(error, address, name);
    }
  }
};

/** The configuration with the ports that will be opened. */
export const choosePorts = async (config: Config): Promise<Config> => {
  const port = await choosePort(config);
  const https = config.https && {
    ...config.https,
    port: await choosePort({ host: config.host, port: config.https.port }, 'HTTPS_PORT'),
  };
  return Object.freeze({ ...config, port, https });
};

/** Opens the port and returns the address for users. */
export const listenOn = async (app: FastifyInstance, address: ListenAddress & Pick<Config, 'https'>): Promise<string> => {
  try {
    await app.listen({ host: address.host, port: address.port });
  } catch (error) {
    throw explain(error, address);
  }
  try {
    await app.listenHttps?.();
  } catch (error) {
    throw explain(error, { host: address.host, port: address.https?.port ?? 0 }, 'HTTPS_PORT');
  }
  const anywhere = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(address.host);
  return `http://${anywhere ? 'localhost' : address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`;
};
