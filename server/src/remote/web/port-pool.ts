import type { Server } from 'node:http';

export interface Listening {
  readonly server: Server;
  readonly port: number;
  /** Ends its connections too, upgraded ones among them. */
  close(): void;
}

interface Opened {
  readonly close: () => void;
  /** When a session was last seen here, in milliseconds of this process. */
  since: number;
}

/** A browser that still shows a session is told for so long that it has ended. */
const lingerMs = 600_000;

/**
 * Ports of their own for sessions whose browser knows the console by an address that has no names below it. The one that was not
 * used for longest comes first: a page that was left open must not wake up in the session of another device.
 */
export class PortPool {
  readonly #first: number;
  readonly #most: number;
  readonly #listen: (port: number) => Promise<Listening>;
  readonly #inUse: () => ReadonlySet<number>;
  readonly #open = new Map<number, Opened>();
  readonly #usedAt = new Map<number, number>();

  constructor(first: number, most: number, listen: (port: number) => Promise<Listening>, inUse: () => ReadonlySet<number>) {
    this.#first = first;
    this.#most = most;
    this.#listen = listen;
    this.#inUse = inUse;
  }

  #free(): number[] {
    const busy = this.#inUse();
    // Any free port will do where the settings ask for any.
    if (this.#first === 0) return busy.size < this.#most ? [0] : [];
    const ports = Array.from({ length: this.#most }, (_, i) => this.#first + 1 + i);
    const isReserved = (port: number) => performance.now() - (this.#usedAt.get(port) ?? Number.NEGATIVE_INFINITY) < 60_000;
    return ports
      .filter((port) => !busy.has(port) && !isReserved(port))
      .sort((a, b) => (this.#usedAt.get(a) ?? 0) - (this.#usedAt.get(b) ?? 0));
  }

  /** A port that is listened to and belongs to nobody; undefined: there is none. */
  async take(): Promise<number | undefined> {
    for (const wanted of this.#free()) {
      const known = this.#open.get(wanted);
      const port = known ? wanted : await this.#listenTo(wanted);
      if (port === undefined) continue;
      this.#usedAt.set(port, performance.now());
      return port;
    }
    return undefined;
  }

  async #listenTo(wanted: number): Promise<number | undefined> {
    try {
      const { port, close } = await this.#listen(wanted);
      this.#open.set(port, { close, since: performance.now() });
      return port;
    } catch {
      // Somebody else's.
      return undefined;
    }
  }

  /** Now and then: lets go of ports where nothing has been for a while. */
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
