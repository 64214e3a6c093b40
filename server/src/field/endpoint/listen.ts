import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';

/**
 * libuv accepts one connection of a listener in a turn of the event loop. In a storm most gateways would wait in the backlog of the kernel, which drops them
 * when it is full. So several listeners share the port.
 */
const listeners = 8;
/** Thousands of gateways reconnect at once after an outage of the satellite hub. */
const backlog = 4096;

const listenOnce = (server: Server, options: ListenOptions) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...options, backlog }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(address && typeof address === 'object' ? address.port : (options.port ?? 0));
    });
  });

const closed = (server: Server) => new Promise<void>((done) => void server.close(() => done()));

/** Fails if another process uses the port, which listeners that share it would not notice. */
const checkFree = async (options: ListenOptions) => {
  if (options.port === 0) return;
  const probe = createServer();
  await listenOnce(probe, options);
  await closed(probe);
};

const canShare = process.platform === 'linux';

/** Returns the port, and a function that ends listening and resolves when all connections are closed. */
export const listenShared = async (server: Server, options: ListenOptions) => {
  if (canShare) await checkFree(options);
  const port = await listenOnce(server, { ...options, reusePort: canShare });
  const others = Array.from({ length: canShare ? listeners - 1 : 0 }, () =>
    createServer((socket: Socket) => void server.emit('connection', socket)),
  );
  const all = [server, ...others];
  const close = async () => void (await Promise.all(all.map(closed)));
  try {
    for (const other of others) {
      await listenOnce(other, { ...options, port, reusePort: true });
      other.on('error', (error) => server.emit('error', error));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { port, close };
};
