import type { Socket } from 'node:net';
import type { Deps } from '../../kit/deps.ts';
import type { UnfinishedLogins } from '../../kit/http/limit-unfinished.ts';
import { noteInternalError } from '../../kit/internal-error.ts';
import { enrolLimitsOf } from '../enrolment/enrol-limits.ts';
import { openField, type Transport } from '../field.ts';
import { Admission, type AdmissionLimits } from './admission.ts';
import { reasons } from './codec.ts';
import { Connection } from './connection.ts';
import type { ConnectionOwner } from './connection-owner.ts';
import { GatewayPresence } from './gateway-presence.ts';

/** All gateway connections of this process. Together they are the transport of the field. */
export const openConnections = (
  deps: Deps,
  logins: UnfinishedLogins,
  registerAgain: () => Promise<boolean>,
  limits: Partial<AdmissionLimits> = {},
) => {
  const all = new Set<Connection>();
  const sockets = new WeakMap<Connection, Socket>();
  const withSocket = (connection: Connection, work: (socket: Socket) => void) => {
    const socket = sockets.get(connection);
    if (socket) work(socket);
  };
  /** Paused connections in FIFO order. */
  const paused = new Set<Connection>();
  const faults: Record<string, number> = {};
  const fault = (kind: string) => {
    faults[kind] = (faults[kind] ?? 0) + 1;
  };
  const transport: Transport = {
    deliver: (sns) => {
      for (const connection of presence.connectionsOf(sns)) void connection.deliver();
    },
    ackHello: (sns) => {
      for (const connection of presence.connectionsOf(sns)) void connection.ackHello();
    },
    drained: () => {
      for (const connection of paused) {
        if (field.full()) return;
        paused.delete(connection);
        connection.resume();
      }
    },
    fenced: async () => {
      if (await registerAgain()) return true;
      endAll();
      return false;
    },
  };
  const endAll = () => {
    for (const connection of [...all]) connection.end(reasons.shuttingDown);
  };
  const field = openField(deps, transport);
  const presence = new GatewayPresence((sn, id, body) => field.receive(sn, 'bye', body, id, () => {}));
  const now = () => performance.now();
  const admission = new Admission<Connection>(limits, now);
  const owner: ConnectionOwner<Connection> = {
    field,
    fault,
    now,
    admission,
    internal: ({ sn }, err) => {
      fault('internal');
      noteInternalError(deps.log, 'gateway', err, { sn });
    },
    mayEnrol: enrolLimitsOf(deps.pool).mayRequest,
    mayAddConnection: (connection) => presence.mayAdd(connection),
    connecting: (connection) => withSocket(connection, logins.finished),
    opened: (connection) => {
      // An enrolling gateway has no key, so it must not replace a connected one.
      if (connection.state === 'enrol') withSocket(connection, logins.mayStay);
      else presence.add(connection);
    },
    helloSent: ({ sn }) => presence.helloSent(sn),
    isLinkKnown: ({ sn }) => presence.isLinkKnown(sn),
    paused: (connection) => {
      paused.add(connection);
      // The time that a CONNECT waits for the console is not that of the gateway.
      if (connection.state === 'new') withSocket(connection, logins.mayStay);
    },
    ended: (connection, will) => {
      all.delete(connection);
      paused.delete(connection);
      admission.release(connection);
      presence.remove(connection, will);
    },
  };
  let accepted = 0;
  const accept = (socket: Socket) => {
    const connection = new Connection(owner, socket, `${field.node}-${(++accepted).toString(36)}`);
    sockets.set(connection, socket);
    all.add(connection);
  };
  /** Stores what was received, then ends all connections. */
  const close = async () => {
    presence.close();
    admission.close();
    for (const connection of all) connection.pause();
    paused.clear();
    await field.close();
    endAll();
  };
  return { endAll, all, presence, field, transport, faults, fault, admission, accept, close };
};
