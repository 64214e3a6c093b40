import { Readable } from 'node:stream';
import type { AnnouncementCount } from '@farlink/contract/advanced/announcement.ts';
import type { LiveKind, LiveRow, LiveUpdate } from '@farlink/contract/device/live.ts';
import type { SessionInfo } from '../../../db/column-types.ts';

/** Maximum of unread bytes before a slow stream is closed. The client reconnects and gets the current state. */
export const maxBufferedBytes = 256 * 1024;

export interface Watching {
  readonly ids: ReadonlySet<number>;
  readonly any: ReadonlySet<LiveKind>;
  readonly notices: boolean;
}

interface Viewer {
  readonly sessionId: number;
  readonly me: SessionInfo;
  /** Whether the client receives columns, or only the ids of changed devices. */
  readonly seesColumns: boolean;
}

/** One stream of one tab. */
export class LiveClient {
  readonly sessionId: number;
  readonly me: SessionInfo;
  readonly seesColumns: boolean;
  readonly watching: Watching;
  /** Ids of devices that were sent to this client. */
  readonly sentIds = new Set<number>();
  readonly stream = new Readable({ read: () => {} });
  /** Content of the next message. */
  readonly update: {
    readonly rows: LiveRow[];
    readonly gone: number[];
    readonly any: Set<LiveKind>;
    notices: AnnouncementCount | undefined;
  } = {
    rows: [],
    gone: [],
    any: new Set(),
    notices: undefined,
  };
  wasSlow = false;
  #isEnding = false;

  constructor({ sessionId, me, seesColumns }: Viewer, watching: Watching) {
    this.sessionId = sessionId;
    this.me = me;
    this.seesColumns = seesColumns;
    this.watching = watching;
  }

  #write(text: string) {
    if (this.stream.destroyed || this.#isEnding) return;
    this.stream.push(text);
    if (this.stream.readableLength <= maxBufferedBytes) return;
    this.wasSlow = true;
    this.stream.destroy();
  }

  #send(update: LiveUpdate) {
    this.#write(`data: ${JSON.stringify(update)}\n\n`);
  }

  send() {
    const { rows, gone, any, notices } = this.update;
    if (rows.length + gone.length + any.size === 0 && !notices) return;
    this.#send({
      ...(rows.length > 0 && { rows }),
      ...(gone.length > 0 && { gone }),
      ...(any.size > 0 && { any: [...any] }),
      ...(notices && { notices }),
    });
    this.update.notices = undefined;
    rows.length = 0;
    gone.length = 0;
    any.clear();
  }

  beat() {
    this.#write(': beat\n\n');
  }

  /** Sends a last update, if there is one, and ends the stream. */
  end(update?: LiveUpdate) {
    if (this.#isEnding) return;
    if (update) this.#send(update);
    this.#isEnding = true;
    this.stream.push(null);
  }
}
