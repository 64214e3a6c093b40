import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { GatewayInternals } from '../gateway-internals.ts';
import { acPage } from './ac.ts';
import { acuConsole } from './acu-shell.ts';
import { antennaPage } from './antenna.ts';
import { modemConsole } from './modem-shell.ts';
import { routerPage } from './router.ts';
import { selfSigned } from './self-signed.ts';
import { gatewayConsole } from './shell.ts';
import { type Console, telnet } from './telnet.ts';

type Page = (gateway: GatewayInternals, request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const pages: Readonly<Record<string, Page>> = { router: routerPage, ac: acPage, antenna: antennaPage };

/** Command line of each service; `signed`: the gateway has already logged in. */
const consoles: Readonly<Record<string, (gateway: GatewayInternals, signed: boolean) => Console>> = {
  telnet: gatewayConsole,
  modem: modemConsole,
  acu: acuConsole,
};

/** One web server for all gateways of this process. It does not listen; each channel is passed to it as a connection. */
const owners = new WeakMap<object, { readonly gateway: GatewayInternals; readonly page: Page }>();
let shared: Server | undefined;
let identity: ReturnType<typeof selfSigned> | undefined;

const webServer = () => {
  shared ??= createServer((request, response) => {
    const owner = owners.get(request.socket);
    if (!owner) return void response.writeHead(404).end();
    // A client that disconnects during a form must not crash the process.
    Promise.resolve(owner.page(owner.gateway, request, response)).catch(() => response.destroy());
  });
  return shared;
};

/** The access controller uses TLS with a self-signed certificate. */
const secured = (channel: Duplex): Duplex => {
  identity ??= selfSigned('access-controller');
  return new TLSSocket(channel, { isServer: true, ...identity }).on('error', () => channel.destroy());
};

/** Services of a gateway: a channel ends at its router, access controller, antenna or a command line. */
export const serve = (gateway: GatewayInternals, service: string, channel: Duplex, signed = false) => {
  channel.on('error', () => channel.destroy());
  const page = pages[service];
  if (!page) return telnet(gateway, channel, (consoles[service] ?? gatewayConsole)(gateway, signed));
  const connection = service === 'ac' ? secured(channel) : channel;
  owners.set(connection, { gateway, page });
  webServer().emit('connection', connection);
};
