import { isTerminal } from '@farlink/contract/device/remote.ts';
import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Deps } from '../../kit/deps.ts';
import { noteInternalError } from '../../kit/internal-error.ts';
import { isForwarded } from '../../kit/process/forward.ts';
import type { Hub } from '../hub.ts';
import { forwardTerminal } from './forward-terminal.ts';
import { parseObject, readSize, Terminal } from './terminal.ts';

const firstMessageMs = 10_000;
const frameMax = 64 * 1024;

/** A page of any origin can open a web socket, so the origin is checked. */
const isOwnPage = (request: FastifyRequest, publicUrl: string | undefined) => {
  const { origin } = request.headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === request.host || (publicUrl !== undefined && host === new URL(publicUrl).host);
};

interface FirstMessage {
  readonly id: number;
  readonly ticket: string;
  readonly token: string;
}

const readFirstMessage = (message: object): FirstMessage | undefined =>
  'id' in message &&
  typeof message.id === 'number' &&
  Number.isSafeInteger(message.id) &&
  'ticket' in message &&
  typeof message.ticket === 'string' &&
  'token' in message &&
  typeof message.token === 'string'
    ? { id: message.id, ticket: message.ticket, token: message.token }
    : undefined;

/** First message of the browser: session id, ticket, and login token. An invalid one gets no information. */
const admit = async (deps: Deps, hub: Hub, socket: WebSocket, data: Buffer, mayForward: boolean) => {
  const message = parseObject(data) ?? {};
  const { id, ticket, token } = readFirstMessage(message) ?? { id: 0, ticket: '', token: '' };
  const found = await hub.locate({ id });
  if (found && 'peer' in found && mayForward) return forwardTerminal(found.peer.console, socket, data);
  const session = found && 'session' in found ? found.session : undefined;
  if (!session || !isTerminal(session.facts.service) || !(await hub.redeem(session, ticket, token))) {
    socket.send(JSON.stringify({ state: 'refused' }));
    return socket.close(1008);
  }
  if (socket.readyState !== socket.OPEN) return hub.end(session, 'closed');
  new Terminal(deps, hub, session, socket, readSize(message) ?? { cols: 80, rows: 24 }).run();
};

export const terminalRoutes =
  (deps: Deps, hub: Hub): FastifyPluginAsync =>
  async (app) => {
    await app.register(websocket, {
      options: { maxPayload: frameMax },
      // A broken frame is a client error; the plugin would log it as an internal one.
      errorHandler: (error, socket) => {
        deps.log.debug({ reason: error.message }, 'terminal connection failed');
        socket.terminate();
      },
    });
    app.get(
      '/agt/terminal',
      {
        websocket: true,
        preValidation: async (request, reply) => {
          if (!isOwnPage(request, deps.config.publicUrl)) return reply.status(403).send();
        },
      },
      (socket, request) => {
        const silent = setTimeout(() => socket.terminate(), firstMessageMs);
        socket.once('message', (data) => {
          clearTimeout(silent);
          admit(deps, hub, socket, Buffer.isBuffer(data) ? data : Buffer.alloc(0), !isForwarded(request.raw)).catch((err) => {
            noteInternalError(deps.log, 'remote', err);
            socket.terminate();
          });
        });
        socket.once('close', () => clearTimeout(silent));
      },
    );
  };
