import { createServer, type Socket } from 'node:net';
import type { Logger } from 'pino';
import ssh2, { type AuthContext, type Connection } from 'ssh2';
import { limitUnfinished, type UnfinishedLimits } from '../kit/http/limit-unfinished.ts';
import type { Hub } from './hub.ts';
import type { RemoteSession } from './session.ts';
import { Tunnel } from './tunnel.ts';

export interface SshServer {
  readonly port: number;
  close(): Promise<void>;
}

interface SshServerOptions {
  readonly host: string;
  readonly port: number;
  readonly key: string;
  readonly hub: Hub;
  readonly log: Logger;
  readonly unfinished: UnfinishedLimits;
}

interface Guest {
  readonly socket: Socket;
  /** It has forwarded its service: about ten round trips of up to a second by satellite. */
  readonly admitted: () => void;
}

const maxTries = 3;
/** A key exchange costs far more than other handshakes. */
const maxUnfinished = 400;
const aliveMs = 30_000;
const aliveCount = 3;

const end = (client: Connection, socket: Socket) => {
  client.end();
  setTimeout(() => socket.destroy(), 2000).unref();
};

/** An admitted gateway may only forward the requested service. */
const serveGateway = (client: Connection, { socket, admitted }: Guest, session: RemoteSession, hub: Hub) => {
  const { service } = session.facts;
  const refuse = (what: string) => {
    void hub.end(session, 'refused', `the gateway asked for ${what}`);
    end(client, socket);
  };
  client.on('request', (accept, reject, name, info) => {
    if (name === 'cancel-tcpip-forward') {
      accept?.();
      return void hub.end(session, 'finished');
    }
    if (name !== 'tcpip-forward') {
      reject?.();
      return refuse(name);
    }
    if (info.bindAddr !== service || info.bindPort < 1 || info.bindPort > 65_535 || session.tunnel || !accept) {
      reject?.();
      return session.tunnel ? undefined : refuse(`the service ${info.bindAddr}:${info.bindPort}`);
    }
    const tunnel = new Tunnel(client, socket, service, info.bindPort);
    admitted();
    hub.tunnelOpened(session, tunnel, accept).catch(() => tunnel.end());
  });
  client.on('session', (_, reject) => reject());
  client.on('tcpip', (_, reject) => reject());
  client.on('openssh.streamlocal', (_, reject) => reject());
  socket.once('close', () => void hub.end(session, 'tunnel'));
};

/** Opens the port for gateway tunnels. No port is opened for forwarded services: they are only names. */
export const openSshServer = ({ host, port, key, hub, log, unfinished }: SshServerOptions): Promise<SshServer> => {
  const guests = new Map<string, Guest>();
  const nameOf = (ip: string | undefined, remotePort: number | undefined) => `${ip}:${remotePort}`;

  const admit = (client: Connection, guest: Guest) => {
    const { socket } = guest;
    let tries = 0;
    const authenticate = async (ctx: AuthContext) => {
      if (ctx.method !== 'password') return ctx.reject(['password']);
      const session = await hub.admit(ctx.username, ctx.password);
      if (session) {
        serveGateway(client, guest, session, hub);
        return ctx.accept();
      }
      log.info({ sn: ctx.username, ip: socket.remoteAddress }, 'tunnel token refused');
      ctx.reject(['password']);
      if (++tries >= maxTries) end(client, socket);
    };
    client.on('authentication', (ctx) => {
      authenticate(ctx).catch((err) => {
        log.warn({ err }, 'tunnel admission failed');
        ctx.reject();
      });
    });
  };

  const ssh = new ssh2.Server(
    { hostKeys: [key], ident: 'farlink', keepaliveInterval: aliveMs, keepaliveCountMax: aliveCount },
    (client, info) => {
      // First the error listener, because the socket may already be closed.
      client.on('error', (error) => log.debug({ reason: error.message }, 'tunnel failed'));
      const guest = guests.get(nameOf(info.ip, info.port));
      if (guest) admit(client, guest);
      else client.end();
    },
  );

  const accept = (socket: Socket) => {
    if (socket.destroyed) return;
    const name = nameOf(socket.remoteAddress, socket.remotePort);
    guests.set(name, { socket, admitted: () => logins.finished(socket) });
    socket.once('close', () => guests.delete(name));
    ssh.injectSocket(socket);
  };

  const server = createServer({ noDelay: true }, accept);
  const logins = limitUnfinished(server, { ...unfinished, total: Math.min(unfinished.total, maxUnfinished) }, log);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.on('error', (error) => log.warn({ reason: error.message }, 'tunnel listener failed'));
    server.listen(port, host, () => {
      const address = server.address();
      resolve({
        port: address && typeof address === 'object' ? address.port : port,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            for (const { socket } of guests.values()) socket.destroy();
          }),
      });
    });
  });
};
