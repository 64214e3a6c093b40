import type { WaitReason } from '../device/shadow.ts';
import { endpoint, shape } from '../kit/endpoint.ts';
import { bool, int, time } from '../kit/field.ts';
import type { Values } from '../kit/values.ts';
import { configAccess } from './config.ts';
import { device_id, pageOfGateway } from './page-field.ts';

/** How what is shown of a page stands to its gateway. */
export const watchState = [
  { id: 'live', label: ['实时', 'Live'], color: 'green' },
  { id: 'waiting', label: ['等待网关', 'Waiting for the gateway'], color: 'processing' },
  { id: 'stale', label: ['非实时', 'Not live'], color: 'default' },
  { id: 'offline', label: ['设备离线', 'Device offline'], color: 'default' },
  { id: 'failed', label: ['读取失败', 'Could not be read'], color: 'red' },
] as const;
export type WatchState = (typeof watchState)[number]['id'];

/** What a status or log page shows, or what the gateway itself says of the rows of a list. */
export interface PageReading {
  readonly state: WatchState;
  readonly waits: WaitReason | null;
  readonly err: string | null;
  /** When it came, and what time it is here now; null: nothing has come yet. */
  readonly at: number | null;
  readonly now: number;
  readonly rows: readonly Values[];
  /** Of a status: how many rows there are, where not all were sent. */
  readonly total: number | null;
  /** Of a log: there are older ones. */
  readonly more: boolean;
  /** Seconds between two readings. */
  readonly every: number;
  /** What one reading costs on the air. */
  readonly bytes: number | null;
  /** On a link that is billed by volume. */
  readonly metered: boolean;
}

export const watchCalls = {
  /**
   * The newest that is known. With `ask` the gateway is asked to tell for a while, once for all who look at the page; whoever keeps
   * looking asks again. Of a log, `before` reads further back.
   */
  watch: endpoint({
    module: 'device',
    access: configAccess,
    method: 'GET',
    path: 'device/config/watch',
    kind: 'tree',
    summary: ['读取网关状态与日志页', 'Read a status or log page of a gateway'],
    input: {
      device_id,
      page: pageOfGateway,
      ask: bool(['请网关上报', 'Ask the gateway']),
      before: time(['早于', 'Before']),
      /** Of those who read back at the same moment: which is meant. */
      limit: int(['条数', 'Rows'], {
        rules: [{ name: 'limit', text: ['1到200条', '1 to 200 rows'], test: (v) => Number(v) >= 1 && Number(v) <= 200 }],
      }),
    },
    shape: shape<PageReading>(),
  }),
};
