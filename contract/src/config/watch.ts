import type { WaitReason } from '../device/shadow.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bool, int, time } from '../kit/field.ts';
import type { Values } from '../kit/values.ts';
import { configAccess } from './config.ts';
import { device_id, pageOfGateway } from './page-field.ts';

/** Freshness of the shown data. */
export const watchState = [
  { id: 'live', label: ['实时', 'Live'], color: 'green' },
  { id: 'waiting', label: ['等待网关', 'Waiting for the gateway'], color: 'processing' },
  { id: 'stale', label: ['非实时', 'Not live'], color: 'default' },
  { id: 'offline', label: ['设备离线', 'Device offline'], color: 'default' },
  { id: 'failed', label: ['读取失败', 'Could not be read'], color: 'red' },
] as const;
export type WatchState = (typeof watchState)[number]['id'];

/** Rows of a status or log page, or reported values of the rows of a list. */
export interface PageReading {
  readonly state: WatchState;
  readonly waits: WaitReason | null;
  readonly err: string | null;
  /** Time of the reading, and current server time; null: no reading yet. */
  readonly at: number | null;
  readonly now: number;
  readonly rows: readonly Values[];
  /** For a status: total number of rows, if not all were sent. */
  readonly total: number | null;
  /** For a log: older rows exist. */
  readonly more: boolean;
  /** Seconds between two readings. */
  readonly every: number;
  /** Bytes on the air of one reading. */
  readonly bytes: number | null;
  /** The link is billed by volume. */
  readonly metered: boolean;
}

export const watchCalls = calls('device', configAccess, {
  /**
   * The newest reading. With `ask` the gateway is requested to report for a while, once for all viewers of the page; a page that stays open
   * repeats it. For a log, `before` reads older rows.
   */
  watch: {
    kind: 'tree',
    path: 'device/config/watch',
    summary: ['读取网关状态与日志页', 'Read a status or log page of a gateway'],
    input: {
      device_id,
      page: pageOfGateway,
      ask: bool(['请网关上报', 'Ask the gateway']),
      before: time(['早于', 'Before']),
      limit: int(['条数', 'Rows'], {
        rules: [{ name: 'limit', text: ['1到200条', '1 to 200 rows'], test: (v) => Number(v) >= 1 && Number(v) <= 200 }],
      }),
    },
    shape: shape<PageReading>(),
  },
});
