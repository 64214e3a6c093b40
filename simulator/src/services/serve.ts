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

/** What a terminal leads to; `signed`: the gateway has signed in for whoever comes. */
const consoles: Readonly<Record<string, (gateway: GatewayInternals, signed: boolean) => Console>> = {
  telnet: gatewayConsole,
  modem: modemConsole,
  acu: acuConsole,
};

/** One web server for all gateways of this process: nothing listens, each channel is handed to it as a connection. */
const owners = new WeakMap<object, { readonly box: GatewayInternals; readonly page: Page }>();
let shared: Server | undefined;
let identity: ReturnType<typeof selfSigned> | undefined;

const webServer = () => {
  shared ??= createServer((request, response) => {
    const owner = owners.get(request.socket);
    if (!owner) return void response.writeHead(404).end();
    // Who hangs up in the middle of a form is no reason to fall over.
    Promise.resolve(owner.page(owner.box, request, response)).catch(() => response.destroy());
  });
  return shared;
};

/** The access controller speaks TLS, with a certificate that nobody else has signed. */
const secured = (channel: Duplex): Duplex => {
  identity ??= selfSigned('access-controller');
  return new TLSSocket(channel, { isServer: true, ...identity }).on('error', () => channel.destroy());
};

/** What stands behind a gateway: a connection to it ends in its own router, access controller, antenna or in a console. */
export const serve = (gateway: GatewayInternals, service: string, channel: Duplex, signed = false) => {
  channel.on('error', () => channel.destroy());
  const page = pages[service];
  if (!page) return telnet(gateway, channel, (consoles[service] ?? gatewayConsole)(gateway, signed));
  const connection = service === 'ac' ? secured(channel) : channel;
  owners.set(connection, { box: gateway, page });
  webServer().emit('connection', connection);
};
