import { epoch } from './epoch.ts';
import { hashOf } from './shadow.ts';
import { flag, int, isObject, type JsonObject, mismatch, type Of, obj, oneOf, record, type Shape, str } from './shape.ts';
import { type Batch, batchOf, isStream, type StreamName } from './stream.ts';

/** Kinds of data that a gateway reports on request. */
export const dpiTypes = ['flow_usr', 'flow_mgt', 'dpi_usr', 'dpi_mgt'] as const;
export type DpiType = (typeof dpiTypes)[number];

/** The streams that carry them. */
const dataStreams: Readonly<Record<DpiType, readonly string[]>> = {
  flow_usr: ['flow', 'user'],
  flow_mgt: ['mgt'],
  dpi_usr: ['dpi'],
  dpi_mgt: ['mdpi'],
};

/** Streams of a kind of data that this version knows. */
export const streamsOf = (type: DpiType): readonly StreamName[] => dataStreams[type].filter(isStream);

/** All streams that a gateway stores for reports on request. */
export const storedStreams: ReadonlySet<string> = new Set(Object.values(dataStreams).flat());

/** Codes of `dpi.send`: the states of the task. */
export const dpiCodes = { upload: 4, package: 5, missing: 6, empty: 10 } as const;

const task = str(40, /^[A-Z0-9]{1,40}$/);
const kilobytes = int(0, 2_147_483_647);
const bytes = int(0, Number.MAX_SAFE_INTEGER);

/** Arguments of `dpi.send`. Without `put`, only the size is requested. `speed` in KB/s and `max` in bytes; 0 is unlimited. */
export const dpiRequest = obj(
  { task, type: oneOf(dpiTypes), from: epoch, to: epoch },
  { put: str(4000, /^https?:\/\//), speed: kilobytes, max: bytes, any: flag },
);
export type DpiRequest = Of<typeof dpiRequest>;

/** Arguments of `dpi.stop`. */
export const dpiStop = obj({ task });

/** Section with the continuous reports of a gateway, by kind of data. */
export const dpiSectionName = 'dpi_report';
const continuous = obj({ task }, { speed: kilobytes, max: bytes });
export type ContinuousReport = Of<typeof continuous>;
export const dpiSection = record(/^(flow|dpi)_(usr|mgt)$/, continuous, 4);
export type DpiSection = Of<typeof dpiSection>;

/** Hash of the section; equal sections are not sent again. */
export const dpiHash = (doc: JsonObject): string => hashOf(doc);

/** Progress of continuous reports by task: time of the last one, bytes since the start, and whether the limit is reached. */
export const dpiReports = record(/^[A-Z0-9]{1,40}$/, obj({ t: epoch, n: bytes }, { full: flag }), 4);

export interface DpiLine {
  readonly stream: StreamName;
  readonly batch: Batch;
}

/** One line of a file: a batch as it was reported, with its stream in `s`. */
export const dpiLine = (type: DpiType): Shape<DpiLine> => {
  const allowed = streamsOf(type);
  return {
    read: (raw, at) => {
      const name = isObject(raw) ? raw.s : undefined;
      const stream = allowed.find((one) => one === name);
      return stream === undefined ? mismatch('s', `one of ${allowed.join(' ')}`) : { stream, batch: batchOf(stream).read(raw, at) };
    },
  };
};
