import type { AnnouncementCount } from '../advanced/announcement.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bool, options, text } from '../kit/field.ts';
import { limits } from '../limits.ts';

/**
 * Kinds of live updates. `record`: an operator changed the device; `user`: a subscriber logged in or out; `reading`: a page was reported.
 */
export const liveKinds = [
  'online',
  'offline',
  'status',
  'link',
  'event',
  'section',
  'command',
  'reading',
  'authorization',
  'record',
  'user',
] as const;
export type LiveKind = (typeof liveKinds)[number];

export const isLiveKind = (value: unknown): value is LiveKind => liveKinds.some((kind) => kind === value);

/** A device with an update. Callers with access to devices also get the changed list columns. */
export interface LiveRow {
  readonly id: number;
  /** Empty for the initial state at the start of a stream. */
  readonly what: readonly LiveKind[];
  readonly columns?: Readonly<Record<string, unknown>>;
}

/** One message of the stream, at most one per second. */
export interface LiveUpdate {
  readonly rows?: readonly LiveRow[];
  /** Devices of earlier messages that are no longer visible. */
  readonly gone?: readonly number[];
  /** Requested kinds that occurred at any visible device. */
  readonly any?: readonly LiveKind[];
  /** Received announcements of the operator, if requested: at the start and after each change. */
  readonly notices?: AnnouncementCount;
  /** Set by the client: a stream has started, and earlier events are not included. */
  readonly begun?: boolean;
  /** The session has ended; no further messages follow. */
  readonly over?: boolean;
}

export const liveCalls = calls('device', 'session', {
  open: {
    kind: 'stream',
    path: 'live',
    summary: ['实时动态', 'Live updates of devices and notices (event stream)'],
    input: {
      ids: options(['设备', 'Devices'], 'device/option', {
        rules: [
          {
            name: 'live_ids',
            text: [`一次最多关注${limits.liveIds}台设备`, `At most ${limits.liveIds} devices at a time`],
            test: (v) => !Array.isArray(v) || v.length <= limits.liveIds,
          },
        ],
      }),
      any: text(['动态类型', 'Kinds of news'], { max: 128 }),
      notices: bool(['公告', 'Notices']),
    },
    shape: shape<LiveUpdate>(),
  },
});
