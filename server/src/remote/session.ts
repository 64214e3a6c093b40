import type { RemoteEnd, RemoteService } from '@farlink/contract/device/remote.ts';
import type { Lang } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { Meter } from './channel-stream.ts';
import type { Tunnel } from './tunnel.ts';

export interface RequestLine {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly up_bytes: number;
  readonly down_bytes: number;
  readonly ms: number;
}

export interface Facts {
  readonly id: number;
  readonly label: string;
  readonly port: number | null;
  readonly service: RemoteService;
  readonly sn: string;
  readonly device_id: number | null;
  readonly device_name: string;
  readonly operator: string;
  readonly lang: Lang;
  readonly encoding: 'utf8' | 'gbk' | 'latin1';
  /** Keyboard input is dropped. */
  readonly read_only: boolean;
  readonly create_at: number;
}

export interface Ended {
  readonly reason: RemoteEnd;
  readonly message: string | null;
}

/** In-memory state of a session; the persistent state is in its row. */
export class RemoteSession {
  readonly facts: Facts;
  readonly meter: Meter;
  tunnel: Tunnel | undefined;
  ended: Ended | undefined;
  /** Hash of the session cookie of its browser. */
  cookieHash: string | undefined;
  activeAt: number;
  up = 0;
  down = 0;
  requests = 0;
  /** Counters have changed since the row was written. */
  dirty = false;
  #lines: RequestLine[] = [];
  readonly #watchers = new Set<() => void>();
  readonly #endTasks: (() => Promise<void>)[] = [];
  readonly #now: () => number;

  constructor(facts: Facts, now: () => number, exceeded: () => void) {
    this.facts = facts;
    this.#now = now;
    this.activeAt = now();
    const count = () => {
      this.used();
      if (this.up + this.down > limits.remoteBytes) exceeded();
    };
    this.meter = {
      up: (n) => {
        this.up += n;
        count();
      },
      down: (n) => {
        this.down += n;
        count();
      },
    };
  }

  get state(): 'opening' | 'open' | 'ended' {
    return this.ended ? 'ended' : this.tunnel ? 'open' : 'opening';
  }

  used() {
    this.activeAt = this.#now();
    this.dirty = true;
  }

  note(line: RequestLine) {
    this.requests++;
    this.dirty = true;
    if (this.requests <= limits.remoteRequests) this.#lines.push(line);
  }

  takeLines(): RequestLine[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  /** Calls back on every state change, until the returned function is called. */
  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  /** Adds a task that runs after the session ends and before its row is completed. */
  beforeCompletion(work: () => Promise<void>) {
    this.#endTasks.push(work);
  }

  async runEndTasks() {
    for (const work of this.#endTasks.splice(0)) await work();
  }

  #notify() {
    for (const changed of [...this.#watchers]) changed();
  }

  use(tunnel: Tunnel) {
    this.tunnel = tunnel;
    this.used();
    this.#notify();
  }

  /** Returns false if it has already ended. */
  finish(ended: Ended): boolean {
    if (this.ended) return false;
    this.ended = ended;
    this.#notify();
    this.tunnel?.end();
    return true;
  }
}
