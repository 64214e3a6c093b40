import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Deps } from '../../kit/deps.ts';
import { noteInternalError } from '../../kit/http/internal-error.ts';
import { limitClosing } from '../../kit/http/limit-closing.ts';
import { openListener } from '../../kit/http/listener.ts';
import { outChannel, readNote } from '../../orders/notify.ts';
import { admittedKeys } from '../enrolment/authenticate.ts';
import { enrolLimitsOf } from '../enrolment/enrol-limits.ts';
import { type FieldListener, openField, type Transport } from '../field.ts';
import { beat, leave, sweepField, sweepRarely } from '../sweep.ts';
import { reasons } from './codec.ts';
import { lost, type Will } from './connect.ts';
import { Connection, type ConnectionOwner } from './connection.ts';

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
}

export interface Endpoint extends FieldListener {
  readonly port: number;
}

const firstPacketMs = 10_000;
/** Number of connections at which further auxiliary clients of a gateway are refused. */
const mostAuxiliary = 16;
const [checkAfterMs, rarelyMs] = [60_000, 600_000];

const listen = (server: Server, { port, host }: EndpointOptions) =>
  new Promise<number>((ready, broken) => {
    server.once('error', broken);
    // Thousands of gateways reconnect at once after an outage of the satellite hub.
    server.listen({ port, host, backlog: 4096 }, () => {
      server.off('error', broken);
      const address = server.address();
      ready(address && typeof address === 'object' ? address.port : port);
    });
  });

/** The SN is part of the key, because an auxiliary client id may equal the SN of another gateway. */
const nameOf = ({ sn, clientId }: Connection) => `${sn} ${clientId}`;

/** An online gateway with the connections of its clients. It is offline when the last connection has ended. */
interface Present {
  readonly id: string;
  readonly connections: Set<Connection>;
  greeted: boolean;
  /** The gateway has sent hello since its main client last connected. It may use another link than before. */
  known: boolean;
  /** Timer that stores `bye` unless the gateway reconnects first. */
  farewell: NodeJS.Timeout | undefined;
}

/** MQTT endpoint inside the console process. There is no broker, so a message is acknowledged after it is stored. */
export const openEndpoint = async (deps: Deps, options: EndpointOptions): Promise<Endpoint> => {
  const here = new Map<string, Present>();
  const byClient = new Map<string, Connection>();
  const all = new Set<Connection>();
  /** Paused connections in FIFO order. */
  const queue = new Set<Connection>();
  const faults: Record<string, number> = {};
  const now = () => performance.now();
  let counter = 0;
  let closing = false;

  const each = (sns: Iterable<string>, act: (connection: Connection) => void) => {
    for (const sn of sns) for (const connection of here.get(sn)?.connections ?? []) act(connection);
  };
  const transport: Transport = {
    deliver: (sns) => each(sns, (c) => void c.deliver()),
    ackHello: (sns) => each(sns, (c) => void c.ackHello()),
    drained: () => {
      for (const connection of queue) {
        if (field.full()) return;
        queue.delete(connection);
        connection.resume();
      }
    },
  };
  const field = openField(deps, transport);

  const disconnected = (sn: string, present: Present, { body, delayS }: Will) => {
    const go = () => {
      here.delete(sn);
      if (present.greeted && body !== undefined && !closing) field.receive(sn, 'bye', body, present.id, () => {});
    };
    if (delayS === 0 || !present.greeted || closing) go();
    else present.farewell = setTimeout(go, delayS * 1000).unref();
  };

  const host: ConnectionOwner = {
    field,
    now,
    fault: (kind) => {
      faults[kind] = (faults[kind] ?? 0) + 1;
    },
    internal: ({ sn }, err) => {
      host.fault('internal');
      noteInternalError(deps.log, 'gateway', err, { sn });
    },
    mayEnrol: enrolLimitsOf(deps.pool).mayAsk,
    hasRoom: (connection) =>
      connection.clientId === connection.sn ||
      byClient.has(nameOf(connection)) ||
      (here.get(connection.sn)?.connections.size ?? 0) < mostAuxiliary,
    opened: (connection) => {
      const { sn, clientId } = connection;
      // An enrolling gateway has no key, so it must not replace a connected one.
      if (connection.state === 'enrol') return;
      const present = here.get(sn) ?? { id: connection.id, connections: new Set(), greeted: false, known: false, farewell: undefined };
      here.set(sn, present);
      clearTimeout(present.farewell);
      present.connections.add(connection);
      if (clientId === sn) present.known = false;
      connection.presence = present.id;
      // Keyed on the client id: an auxiliary client of the same gateway is not the gateway.
      byClient.get(nameOf(connection))?.end(reasons.takenOver);
      byClient.set(nameOf(connection), connection);
    },
    greeted: (connection) => {
      const present = here.get(connection.sn);
      if (present) Object.assign(present, { greeted: true, known: true });
    },
    isKnown: ({ sn }) => here.get(sn)?.known === true,
    waits: (connection) => queue.add(connection),
    ended: (connection, last) => {
      const { sn } = connection;
      all.delete(connection);
      queue.delete(connection);
      if (byClient.get(nameOf(connection)) === connection) byClient.delete(nameOf(connection));
      const present = here.get(sn);
      if (present?.connections.delete(connection) && present.connections.size === 0) disconnected(sn, present, last);
    },
  };

  const accept = (socket: Socket) => {
    all.add(new Connection(host, socket, `${field.node}-${(++counter).toString(36)}`));
  };
  // A client certificate is optional, because a gateway may use a key instead.
  const server = options.tls
    ? createTlsServer({ ...options.tls, requestCert: options.tls.ca !== undefined, rejectUnauthorized: false }, accept)
    : createServer(accept);
  server.on('tlsClientError', () => host.fault('tls'));
  server.on('error', (error) => deps.log.warn({ reason: error.message }, 'gateway listener failed'));

  const endSockets = limitClosing(server);

  const disconnect = (connection: Connection) => connection.end(reasons.administrative, { body: lost, delayS: 0 });
  /** Disconnects gateways that lost their authorization while the notification listener was down. */
  const review = async () => {
    const keys = await admittedKeys(deps.pool, deps.clock.now(), [...here.keys()]);
    for (const connection of [...all]) {
      const key = keys.get(connection.sn);
      const isGood = key !== undefined && (connection.keyHash === undefined || connection.keyHash === key);
      if (connection.state === 'open' && !isGood) disconnect(connection);
    }
  };
  const heard = (text: string) => {
    const note = readNote(text);
    if (!note) return;
    if ('wake' in note) transport.deliver(note.wake);
    else if (here.get(note.end)?.id !== note.but)
      for (const c of [...(here.get(note.end)?.connections ?? [])]) if (note.key === undefined || c.keyHash !== note.key) disconnect(c);
  };
  const listener = openListener(deps.pool, outChannel, heard);

  const checkSilence = () => {
    const at = now();
    for (const connection of all) {
      if (connection.isWaiting) continue;
      const silent = at - connection.lastSeen;
      if (connection.state === 'fresh' || connection.state === 'judging') {
        if (silent > firstPacketMs) connection.end(reasons.keepAlive);
      } else if (silent > connection.keepAliveS * 1500) {
        host.fault('silent');
        connection.end(reasons.keepAlive);
      }
    }
  };
  let lookedAfter = now();
  let sweptRarely = Number.NEGATIVE_INFINITY;
  const tick = async () => {
    checkSilence();
    const at = now();
    if (at - lookedAfter > checkAfterMs) {
      lookedAfter = at;
      for (const connection of all) if (connection.hasUnacked) void connection.deliver();
    }
    try {
      // Notifications are lost while the listener is down, so the state is read from the database.
      if (await listener.ensure()) {
        await review();
        transport.deliver([...here.keys()]);
      }
      // Another process considered this one dead and marked its gateways offline.
      const isForgotten = await beat(deps.pool, field.node, deps.clock.now());
      if (isForgotten) each(here.keys(), (c) => c.askHello());
      await sweepField(deps.pool, deps.clock.now());
      if (at - sweptRarely < rarelyMs) return;
      await sweepRarely(deps.pool, deps.clock.now());
      sweptRarely = at;
    } catch (err) {
      deps.log.warn({ err }, 'gateway maintenance failed');
    }
  };

  const port = await listen(server, options);
  await tick();
  let ticking: Promise<void> | undefined;
  const timer = setInterval(() => {
    ticking ??= tick().finally(() => {
      ticking = undefined;
    });
  }, options.tickMs ?? 5000);

  const close = async () => {
    closing = true;
    clearInterval(timer);
    for (const { farewell } of here.values()) clearTimeout(farewell);
    const closed = new Promise<void>((done) => server.close(() => done()));
    endSockets();
    for (const connection of all) connection.pause();
    queue.clear();
    await field.close();
    for (const connection of [...all]) connection.end(reasons.shuttingDown);
    await closed;
    await ticking;
    listener.close();
    await leave(deps.pool, field.node, deps.clock.now()).catch((err) => deps.log.warn({ err }, 'gateway offline update failed'));
  };
  return { port, field, faults, connections: () => all.size, close };
};
