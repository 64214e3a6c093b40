import type { Server } from 'node:http';

export interface Listening {
  readonly server: Server;
  readonly port: number;
  /** Also ends its connections, including upgraded ones. */
  close(): void;
}

interface Opened {
  readonly close: () => void;
  /** Time when a session was last seen here, in milliseconds of this process. */
  since: number;
}

/** Time for which a port shows that its session has ended. */
const lingerMs = 600_000;

/**
 * Separate ports for sessions when the console host has no subdomains. The least recently used port comes first, so that an old open page
 * does not reach the session of another device.
 */
export class PortPool {
  readonly #first: number;
  readonly #max: number;
  readonly #listen: (port: number) => Promise<Listening>;
  readonly #inUse: () => ReadonlySet<number>;
  readonly #open = new Map<number, Opened>();
  readonly #usedAt = new Map<number, number>();

  constructor(first: number, max: number, listen: (port: number) => Promise<Listening>, inUse: () => ReadonlySet<number>) {
    this.#first = first;
    this.#max = max;
    this.#listen = listen;
    this.#inUse = inUse;
  }

  #free(): number[] {
    const busy = this.#inUse();
    // With port 0 in the settings, any free port is used.
    if (this.#first === 0) return busy.size < this.#max ? [0] : [];
    const ports = Array.from({ length: this.#max }, (_, i) => this.#first + 1 + i);
    const isReserved = (port: number) => performance.now() - (this.#usedAt.get(port) ?? Number.NEGATIVE_INFINITY) < 60_000;
    return ports
      .filter((port) => !busy.has(port) && !isReserved(port))
      .sort((a, b) => (this.#usedAt.get(a) ?? 0) - (this.#usedAt.get(b) ?? 0));
  }

  /** Returns an open port without a session; undefined if there is none. */
  async acquire(): Promise<number | undefined> {
    for (const candidate of this.#free()) {
      const found = this.#open.get(candidate);
      const port = found ? candidate : await this.#listenTo(candidate);
      if (port === undefined) continue;
      this.#usedAt.set(port, performance.now());
      return port;
    }
    return undefined;
  }

  async #listenTo(requested: number): Promise<number | undefined> {
    try {
      const { port, close } = await this.#listen(requested);
      this.#open.set(port, { close, since: performance.now() });
      return port;
    } catch {
      // The port is used by another program.
      return undefined;
    }
  }

  /** Closes ports that have been unused for a while. Called periodically. */
  tidy() {
    const busy = this.#inUse();
    const now = performance.now();
    for (const [port, opened] of this.#open) {
      if (busy.has(port)) opened.since = now;
      else if (now - opened.since > lingerMs) {
        opened.close();
        this.#open.delete(port);
      }
    }
  }

  close() {
    for (const { close } of this.#open.values()) close();
    this.#open.clear();
  }
}
