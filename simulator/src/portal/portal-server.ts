import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { signHandover } from '@farlink/gateway/protocol/portal.ts';
import { normalMac } from '../session.ts';
import { ConsoleData } from './gateway-data.ts';
import { LoginLimit } from './login-limit.ts';
import { handoverOf } from './pass-client.ts';
import { respond } from './respond.ts';
import { type ClientReply, type ClientRequest, type PortalContext, type RespondGateway, textReply } from './visit.ts';

/** Terminal of requests that name none, such as those of a browser test. */
export const testPhone = '02:00:00:00:00:fe';
/** The gateway itself, for its own requests. */
const ownMac = '02:00:00:00:00:01';

const macPattern = /^([0-9a-f]{2}[-:]?){5}[0-9a-f]{2}$/i;

/** Real networks show the MAC address of a client. On loopback a header replaces it. */
const macOf = ({ headers }: IncomingMessage): string => {
  const header = headers['x-sim-mac'];
  return typeof header === 'string' && macPattern.test(header) ? normalMac(header) : testPhone;
};

const send = (response: ServerResponse, method: string | undefined, { status, headers, body }: ClientReply) => {
  response.writeHead(status, headers);
  if (method === 'HEAD' || body === undefined) {
    if (body instanceof Readable) body.destroy();
    return void response.end();
  }
  if (!(body instanceof Readable)) return void response.end(body);
  body.on('error', () => response.destroy());
  response.on('close', () => body.destroy());
  body.pipe(response);
};

/** Web server of a gateway for its terminals, on loopback. It listens only on request. */
export class PortalServer {
  readonly #context: PortalContext;
  #server: Server | undefined;
  #port: number | undefined;

  constructor(gateway: RespondGateway, timeoutMs?: number) {
    const data = new ConsoleData(
      () => gateway.portal.served,
      ({ section }) => ({ 'x-farlink-client': signHandover(section.key, handoverOf({ gateway }, ownMac)) }),
    );
    this.#context = { gateway, data, limit: new LoginLimit(), timeoutMs };
  }

  /** Port on 127.0.0.1; undefined: it does not listen. */
  get port(): number | undefined {
    return this.#port;
  }

  get origin(): string {
    return `http://127.0.0.1${this.#port === undefined ? '' : `:${this.#port}`}`;
  }

  /** Answers one request without a socket. */
  respond(request: Omit<ClientRequest, 'origin'>): Promise<ClientReply> {
    return respond(this.#context, { ...request, origin: this.origin });
  }

  /** Page without access, as a terminal sees it. */
  async probe(): Promise<{ readonly status: number; readonly html: string }> {
    const headers = { 'accept-language': 'zh' };
    const { status, body } = await this.respond({ method: 'GET', url: '/', headers, body: undefined, mac: ownMac });
    return { status, html: typeof body === 'string' ? body : '' };
  }

  async #handle(request: IncomingMessage, response: ServerResponse) {
    const { method = 'GET', url = '/', headers } = request;
    request.on('error', () => response.destroy());
    const body = method === 'POST' ? request : undefined;
    try {
      send(response, method, await this.respond({ method, url, headers, body, mac: macOf(request) }));
    } catch {
      if (response.headersSent) response.destroy();
      else send(response, method, textReply(500, 'internal error'));
    }
  }

  /** Listens on this port, 0 for any free one. Returns the port. */
  async listen(port = 0): Promise<number> {
    if (this.#port !== undefined) return this.#port;
    const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16_384 }, (request, response) => {
      void this.#handle(request, response);
    });
    server.on('clientError', (_, socket) => socket.destroy());
    this.#server = server;
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    const address = server.address();
    this.#port = address && typeof address === 'object' ? address.port : port;
    // A later fault of the socket does not end the process.
    server.on('error', () => this.close());
    return this.#port;
  }

  close() {
    this.#server?.close();
    this.#server?.closeAllConnections();
    this.#server = undefined;
    this.#port = undefined;
  }
}
