import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Deps } from '../../kit/deps.ts';
import { limitClosing } from '../../kit/http/limit-closing.ts';
import { limitUnfinishedRequests } from '../../kit/http/limit-unfinished.ts';
import { refuseSlowBodies } from '../../kit/http/slow-bodies.ts';
import { noteInternalError } from '../../kit/internal-error.ts';
import { ownPath } from './own-paths.ts';
import type { Listening } from './port-pool.ts';

interface Handlers {
  /** `port` is the port that received the request. */
  request(req: IncomingMessage, res: ServerResponse, port: number): Promise<void>;
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer, port: number): Promise<void>;
}

/** Opens one port. Port 0 takes any free port. */
export const listenForPages = (
  { log, config }: Pick<Deps, 'log' | 'config'>,
  host: string,
  requestedPort: number,
  { request, upgrade }: Handlers,
): Promise<Listening> => {
  const server = createServer({ maxHeaderSize: 32 * 1024, requestTimeout: 0, headersTimeout: 30_000, keepAliveTimeout: 30_000 });
  refuseSlowBodies(server, (url) => url.startsWith(ownPath));
  limitUnfinishedRequests(server, config.unfinished, log);
  const endSockets = limitClosing(server);
  let port = requestedPort;
  const failed = (stream: Duplex | ServerResponse) => (error: unknown) => {
    noteInternalError(log, 'remote', error);
    stream.destroy();
  };
  server.on('request', (req, res) => {
    request(req, res, port).catch(failed(res));
  });
  server.on('upgrade', (req, socket, head) => {
    // Node removes its error listener from an upgraded socket; the peer may reset it during the session lookup.
    socket.on('error', () => socket.destroy());
    upgrade(req, socket, head, port).catch(failed(socket));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.on('error', (error) => log.warn({ reason: error.message }, 'remote web listener failed'));
    server.listen(requestedPort, host, () => {
      const address = server.address();
      if (address && typeof address === 'object') port = address.port;
      const close = () => {
        server.close();
        server.closeAllConnections();
        endSockets();
      };
      resolve({ server, port, close });
    });
  });
};
