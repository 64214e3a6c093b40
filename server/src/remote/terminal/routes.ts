import { isTerminal } from '@farlink/contract/device/remote.ts';
import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Deps } from '../../kit/deps.ts';
import { noteInternalError } from '../../kit/http/internal-error.ts';
import type { Hub } from '../hub.ts';
import { parseObject, readSize, Terminal } from './terminal.ts';

const [greetingMs, frameMax] = [10_000, 64 * 1024];

/** A page of another origin may open a web socket here as anybody may; it only never gets an answer. */
const isOwnPage = (request: FastifyRequest, publicUrl: string | undefined) => {
  const { origin } = request.headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === request.host || (publicUrl !== undefined && host === new URL(publicUrl).host);
};

interface Greeting {
  readonly id: number;
  readonly ticket: string;
  readonly token: string;
}

const readGreeting = (said: object): Greeting | undefined =>
  'id' in said &&
  typeof said.id === 'number' &&
  'ticket' in said &&
  typeof said.ticket === 'string' &&
  'token' in said &&
  typeof said.token === 'string'
    ? { id: said.id, ticket: said.ticket, token: said.token }
    : undefined;

/** The first word of the browser: which session, its ticket, and the token of the login that asked for it. Nobody else learns anything. */
const admit = async (deps: Deps, hub: Hub, socket: WebSocket, data: Buffer) => {
  const said = parseObject(data) ?? {};
  const { id, ticket, token } = readGreeting(said) ?? { id: 0, ticket: '', token: '' };
  const session = await hub.byId(id);
  if (!session || !isTerminal(session.facts.service) || !(await hub.redeem(session, ticket, token))) {
    socket.send(JSON.stringify({ state: 'refused' }));
    return socket.close(1008);
  }
  if (socket.readyState !== socket.OPEN) return hub.end(session, 'closed');
  new Terminal(deps, hub, session, socket, readSize(said) ?? { cols: 80, rows: 24 }).run();
};

export const terminalRoutes =
  (deps: Deps, hub: Hub): FastifyPluginAsync =>
  async (app) => {
    await app.register(websocket, {
      options: { maxPayload: frameMax },
      // A broken frame is a fault of the browser's side; the plugin would log each as an error of ours.
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
      (socket) => {
        const silent = setTimeout(() => socket.terminate(), greetingMs);
        socket.once('message', (data) => {
          clearTimeout(silent);
          admit(deps, hub, socket, Buffer.isBuffer(data) ? data : Buffer.alloc(0)).catch((err) => {
            noteInternalError(deps.log, 'remote', err);
            socket.terminate();
          });
        });
        socket.once('close', () => clearTimeout(silent));
      },
    );
  };
