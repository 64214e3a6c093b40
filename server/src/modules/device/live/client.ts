import { Readable } from 'node:stream';
import type { LiveKind, LiveRow, LiveUpdate } from '@farlink/contract/device/live.ts';
import type { SessionInfo } from '../../../db/column-types.ts';

/** Bytes that may wait for a slow reader before he is let go: he comes back and is told how things stand. */
export const mostWaiting = 256 * 1024;

export interface Watching {
  readonly ids: ReadonlySet<number>;
  readonly any: ReadonlySet<LiveKind>;
}

interface Who {
  readonly sessionId: number;
  readonly me: SessionInfo;
  /** Whether it gets columns, or only hears that something is new. */
  readonly seesColumns: boolean;
}

/** One stream of one tab. */
export class LiveClient {
  readonly sessionId: number;
  readonly me: SessionInfo;
  readonly seesColumns: boolean;
  readonly watching: Watching;
  /** The devices that it has been told of. */
  readonly sentIds = new Set<number>();
  readonly stream = new Readable({ read: () => {} });
  /** What is sent with the next message. */
  readonly update: { readonly rows: LiveRow[]; readonly gone: number[]; readonly any: Set<LiveKind> } = {
    rows: [],
    gone: [],
    any: new Set(),
  };
  wasSlow = false;
  #isEnding = false;

  constructor({ sessionId, me, seesColumns }: Who, watching: Watching) {
    this.sessionId = sessionId;
    this.me = me;
    this.seesColumns = seesColumns;
    this.watching = watching;
  }

  #write(text: string) {
    if (this.stream.destroyed || this.#isEnding) return;
    this.stream.push(text);
    if (this.stream.readableLength <= mostWaiting) return;
    this.wasSlow = true;
    this.stream.destroy();
  }

  #send(update: LiveUpdate) {
    this.#write(`data: ${JSON.stringify(update)}\n\n`);
  }

  send() {
    const { rows, gone, any } = this.update;
    if (rows.length + gone.length + any.size === 0) return;
    this.#send({ ...(rows.length > 0 && { rows }), ...(gone.length > 0 && { gone }), ...(any.size > 0 && { any: [...any] }) });
    rows.length = 0;
    gone.length = 0;
    any.clear();
  }

  beat() {
    this.#write(': beat\n\n');
  }

  /** Says why, if there is a reason, and ends. */
  end(update?: LiveUpdate) {
    if (this.#isEnding) return;
    if (update) this.#send(update);
    this.#isEnding = true;
    this.stream.push(null);
  }
}
