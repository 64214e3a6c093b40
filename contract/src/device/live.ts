import { endpoint, shape } from '../kit/endpoint.ts';
import { options, text } from '../kit/field.ts';
import { limits } from '../limits.ts';

/** What can be new of a device. `record`: an operator changed it; `user`: somebody came online or left; `reading`: it told one of its pages. */
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

export const isLiveKind = (word: unknown): word is LiveKind => liveKinds.some((kind) => kind === word);

/** A device of which something is new; whoever may see devices gets the columns of the list that change by themselves. */
export interface LiveRow {
  readonly id: number;
  /** Empty where it only says how things stand, at the beginning of a stream. */
  readonly what: readonly LiveKind[];
  readonly columns?: Readonly<Record<string, unknown>>;
}

/** One message of the stream, at most one a second. */
export interface LiveUpdate {
  readonly rows?: readonly LiveRow[];
  /** Devices that were told of before and are no longer to be seen. */
  readonly gone?: readonly number[];
  /** Of the kinds that were asked for: what happened to any device within sight. */
  readonly any?: readonly LiveKind[];
  /** Said by who listens: a stream has begun, and what happened before is not told. */
  readonly begun?: boolean;
  /** The session has ended: nothing more will come. */
  readonly over?: boolean;
}

export const liveCalls = {
  open: endpoint({
    method: 'GET',
    path: 'live',
    kind: 'stream',
    module: 'device',
    access: 'session',
    summary: ['设备实时动态', 'Live updates of devices (event stream)'],
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
    },
    shape: shape<LiveUpdate>(),
  }),
};
