import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Logger } from 'pino';
import { addressBlockOf } from './rate-limit.ts';

export interface UnfinishedLimits {
  /** From accepting a connection to the end of its handshake, login or first request. */
  readonly timeoutMs: number;
  /** Unfinished connections of one port. One address may have half of them. */
  readonly total: number;
}

/** An accepted connection. TLS wraps its socket in another one with the same addresses, so it is found by them. */
interface Accepted {
  readonly name: string;
  readonly address: string;
  readonly socket: Socket;
  timer: NodeJS.Timeout | undefined;
}

const nameOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket) =>
  remotePort === undefined ? undefined : `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;

/** The warning is repeated at most once a minute. */
const warnMs = 60_000;

/** The oldest unfinished connections are closed above the limits: a client that finishes is faster than one that only occupies a socket. */
class UnfinishedConnections {
  readonly #limits: UnfinishedLimits;
  readonly #limitReached: () => void;
  /** In order of arrival, all of them and by address. */
  readonly #all = new Map<string, Accepted>();
  readonly #byAddress = new Map<string, Set<Accepted>>();
  /** Addresses with new connections since the last check. */
  readonly #unchecked = new Set<string>();

  constructor(limits: UnfinishedLimits, limitReached: () => void) {
    this.#limits = limits;
    this.#limitReached = limitReached;
  }

  find(socket: Socket): Accepted | undefined {
    return this.#all.get(nameOf(socket) ?? '');
  }

  accept(socket: Socket) {
    const name = nameOf(socket);
    // The peer has reset the connection already.
    if (name === undefined) return void socket.destroy();
    const accepted: Accepted = { name, address: addressBlockOf(socket.remoteAddress ?? ''), socket, timer: undefined };
    accepted.timer = setTimeout(() => this.#end(accepted), this.#limits.timeoutMs).unref();
    socket.once('close', () => this.remove(accepted));
    this.add(accepted);
  }

  add(accepted: Accepted) {
    const ofAddress = this.#byAddress.get(accepted.address) ?? new Set();
    this.#byAddress.set(accepted.address, ofAddress.add(accepted));
    this.#all.set(accepted.name, accepted);
    // Node accepts thousands of waiting connections at once, before it reads what they have sent. So the limits apply after the next read.
    if (this.#unchecked.size === 0) setImmediate(() => setImmediate(() => this.#check()));
    this.#unchecked.add(accepted.address);
  }

  remove(accepted: Accepted) {
    this.stopTimer(accepted);
    if (this.#all.get(accepted.name) === accepted) this.#all.delete(accepted.name);
    const ofAddress = this.#byAddress.get(accepted.address);
    ofAddress?.delete(accepted);
    if (ofAddress?.size === 0) this.#byAddress.delete(accepted.address);
  }

  stopTimer(accepted: Accepted) {
    clearTimeout(accepted.timer);
    accepted.timer = undefined;
  }

  #check() {
    const { total } = this.#limits;
    const before = this.#all.size;
    for (const address of this.#unchecked) {
      const ofAddress = this.#byAddress.get(address) ?? new Set();
      for (const oldest of ofAddress) {
        if (ofAddress.size <= total / 2) break;
        this.#end(oldest);
      }
    }
    this.#unchecked.clear();
    for (const oldest of this.#all.values()) {
      if (this.#all.size <= total) break;
      this.#end(oldest);
    }
    if (this.#all.size < before) this.#limitReached();
  }

  #end(accepted: Accepted) {
    this.remove(accepted);
    accepted.socket.destroy();
  }
}

const watch = (server: Server, limits: UnfinishedLimits, log: Logger) => {
  let warnedAt = -warnMs;
  const unfinished = new UnfinishedConnections(limits, () => {
    if (performance.now() - warnedAt < warnMs) return;
    warnedAt = performance.now();
    log.warn({ address: server.address(), limit: limits.total }, 'too many unfinished connections, the oldest are closed');
  });
  server.prependListener('connection', (socket: Socket) => unfinished.accept(socket));
  return unfinished;
};

export interface UnfinishedLogins {
  /** The client has proved who it is, or waits in a queue with its own limits. */
  finished(socket: Socket): void;
  /** The connection may stay open, but it is still that of a stranger and counts for the limits. */
  mayStay(socket: Socket): void;
}

/** Limits connections that have not finished their handshake or login. */
export const limitUnfinished = (server: Server, limits: UnfinishedLimits, log: Logger): UnfinishedLogins => {
  const unfinished = watch(server, limits, log);
  const ifUnfinished = (socket: Socket, work: (accepted: Accepted) => void) => {
    const accepted = unfinished.find(socket);
    if (accepted) work(accepted);
  };
  return {
    finished: (socket) => ifUnfinished(socket, (accepted) => unfinished.remove(accepted)),
    mayStay: (socket) => ifUnfinished(socket, (accepted) => unfinished.stopTimer(accepted)),
  };
};

/**
 * Limits HTTP connections without a complete request. One that waits for its next request, or sends a body, counts for the limits; its time
 * is limited by the keep-alive timeout and by `refuseSlowBodies`.
 */
export const limitUnfinishedRequests = (server: HttpServer, limits: UnfinishedLimits, log: Logger) => {
  const unfinished = watch(server, limits, log);
  const known = new WeakMap<Socket, { readonly accepted: Accepted; requests: number }>();
  const connectionOf = (socket: Socket) => {
    const accepted = unfinished.find(socket);
    const connection = known.get(socket) ?? (accepted && { accepted, requests: 0 });
    if (connection) known.set(socket, connection);
    return connection;
  };
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connectionOf(request.socket);
    if (!connection) return;
    const { accepted } = connection;
    connection.requests++;
    const received = () => connection.requests > 0 && unfinished.remove(accepted);
    unfinished.stopTimer(accepted);
    if (request.complete) received();
    else request.once('end', received);
    response.once('close', () => {
      connection.requests--;
      if (connection.requests === 0 && !accepted.socket.destroyed) unfinished.add(accepted);
    });
  });
  // Without a listener, Node answers an upgrade as an ordinary request, so none is added before the routes have theirs.
  server.once('listening', () => {
    if (server.listenerCount('upgrade') === 0) return;
    server.prependListener('upgrade', ({ socket }: IncomingMessage) => {
      const connection = connectionOf(socket);
      if (connection) unfinished.remove(connection.accepted);
    });
  });
};
