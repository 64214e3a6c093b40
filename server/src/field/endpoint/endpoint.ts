import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Deps } from '../../kit/deps.ts';
import { limitClosing } from '../../kit/http/limit-closing.ts';
import { limitUnfinished } from '../../kit/http/limit-unfinished.ts';
import { openListener } from '../../kit/listener.ts';
import { startTicker } from '../../kit/ticker.ts';
import { connectionChannel, readConnectionNotification } from '../../orders/notify.ts';
import { admittedKeys } from '../enrolment/authenticate.ts';
import type { FieldListener } from '../field.ts';
import { beat, openFieldSweep, unregister } from '../sweep.ts';
import type { AdmissionLimits } from './admission.ts';
import { reasons } from './codec.ts';
import { lost } from './connect.ts';
import type { Connection } from './connection.ts';
import { openConnections } from './connections.ts';

export interface EndpointOptions {
  readonly port: number;
  readonly host: string;
  readonly tls?: {
    readonly cert: Buffer;
    readonly key: Buffer;
    /** CA of the gateway certificates. A verified certificate replaces the key. */
    readonly ca?: string;
  };
  /** Interval of the periodic maintenance. */
  readonly tickMs?: number;
  readonly admission?: Partial<AdmissionLimits>;
}

export interface Endpoint extends FieldListener {
  readonly port: number;
}

const firstPacketMs = 10_000;
const resendCheckMs = 60_000;
/** A gap between two heartbeats in which another process may have taken the gateways over. */
const pauseMs = 25_000;

const listen = (server: Server, { port, host }: EndpointOptions) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    // Thousands of gateways reconnect at once after an outage of the satellite hub.
    server.listen({ port, host, backlog: 4096 }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(address && typeof address === 'object' ? address.port : port);
    });
  });

/** A client certificate is optional, because a gateway may use a key instead. */
const createListener = ({ tls }: EndpointOptions, handshakeTimeout: number): Server =>
  tls ? createTlsServer({ ...tls, requestCert: tls.ca !== undefined, rejectUnauthorized: false, handshakeTimeout }) : createServer();

const disconnect = (connection: Connection) => connection.end(reasons.administrative, { body: lost, delayS: 0 });

/** Disconnects gateways that lost their authorization while the notification listener was down. */
const disconnectRevoked = async ({ pool, clock }: Deps, sns: string[], connections: Iterable<Connection>) => {
  const keys = await admittedKeys(pool, clock.now(), sns);
  for (const connection of [...connections]) {
    const key = keys.get(connection.sn);
    const isValid = key !== undefined && (connection.keyHash === undefined || connection.keyHash === key);
    if (connection.state === 'open' && !isValid) disconnect(connection);
  }
};

const endSilent = (connections: Iterable<Connection>, now: number, fault: (kind: string) => void) => {
  for (const connection of connections) {
    if (connection.isPaused) continue;
    const silentMs = now - connection.lastSeen;
    if (connection.state === 'new' || connection.state === 'authenticating') {
      if (silentMs > firstPacketMs) connection.end(reasons.keepAlive);
    } else if (silentMs > connection.keepAliveS * 1500) {
      fault('silent');
      connection.end(reasons.keepAlive);
    }
  }
};

/** MQTT endpoint inside the console process. There is no broker, so a message is acknowledged after it is stored. */
export const openEndpoint = async (deps: Deps, options: EndpointOptions): Promise<Endpoint> => {
  const { pool, log, clock } = deps;
  const { unfinished } = deps.config;
  const server = createListener(options, unfinished.timeoutMs);
  const logins = limitUnfinished(server, unfinished, log);
  const connections = openConnections(deps, logins, () => register(), options.admission);
  const { all, presence, field, transport, faults, fault, admission, accept, close: closeConnections } = connections;
  server.on(options.tls ? 'secureConnection' : 'connection', accept);
  server.on('tlsClientError', (_: Error, socket: Socket) => {
    fault('tls');
    socket.destroy();
  });
  server.on('error', (error) => log.warn({ reason: error.message }, 'gateway listener failed'));
  const endSockets = limitClosing(server);

  const notified = (text: string) => {
    const note = readConnectionNotification(text);
    if (!note) return;
    if ('wake' in note) return transport.deliver(note.wake);
    if ('deliverAll' in note) return transport.deliver(presence.sns);
    if (presence.idOf(note.end) === note.but) return;
    for (const connection of presence.connectionsOf([note.end]))
      if (note.key === undefined || connection.keyHash !== note.key) disconnect(connection);
  };
  const listener = openListener(pool, connectionChannel, notified);
  const sweep = openFieldSweep(deps);

  let resendCheckedAt = performance.now();
  let beatenAt = performance.now();
  /** Returns false after a pause: what the connections sent is old, and the gateways have sent it again to another process. */
  const register = async (): Promise<boolean> => {
    const { isNew, epoch } = await beat(pool, field.node, clock.now());
    const wasPaused = performance.now() - beatenAt > pauseMs;
    beatenAt = performance.now();
    field.register(epoch);
    if (!isNew) return true;
    if (wasPaused) {
      field.dropAll();
      connections.endAll();
    } else for (const connection of presence.connectionsOf(presence.sns)) connection.requestHello();
    return !wasPaused;
  };
  const tick = async () => {
    const at = performance.now();
    endSilent(all, at, fault);
    if (at - resendCheckedAt > resendCheckMs) {
      resendCheckedAt = at;
      for (const connection of all) if (connection.hasUnacked) void connection.deliver();
    }
    try {
      // Notifications are lost while the listener is down, so the state is read from the database.
      if (await listener.ensure()) {
        await disconnectRevoked(deps, presence.sns, all);
        transport.deliver(presence.sns);
      }
      await register();
      await sweep();
    } catch (err) {
      log.warn({ err }, 'gateway maintenance failed');
    }
  };

  const port = await listen(server, options);
  const ticker = startTicker(tick, options.tickMs ?? 5000);
  await ticker.first;

  const close = async () => {
    const ticked = ticker.stop();
    const closed = new Promise<void>((done) => server.close(() => done()));
    endSockets();
    await closeConnections();
    await closed;
    await ticked;
    listener.close();
    await unregister(pool, field.node, clock.now()).catch((err) => log.warn({ err }, 'gateway offline update failed'));
  };
  return { port, field, faults, connections: () => all.size, waiting: () => admission.waiting, close };
};
