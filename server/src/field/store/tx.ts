import type { AccountReport } from '@farlink/gateway/protocol/account.ts';
import type {
  BundleReport,
  Bye,
  FieldEvent,
  GatewayMessage,
  Hello,
  Result,
  SectionProgress,
  SectionReport,
  Status,
} from '@farlink/gateway/protocol/message.ts';
import type { Batch, StreamName } from '@farlink/gateway/protocol/stream.ts';
import type { PoolClient, QueryResultRow } from 'pg';
import type { Unreadable } from '../../domain/audit/store/audit-row.ts';
import type { DeviceChange } from '../../orders/notify.ts';

/** Common fields of a gateway message that is stored. */
interface From {
  readonly sn: string;
  /** Device id of the SN; set when the batch is stored. */
  readonly device: number;
  readonly conn: string;
}

export type Item<T> = From & T;
export type HelloItem = Item<{ readonly body: Hello }>;
export type ByeItem = Item<{ readonly body: Bye }>;
export type StatusItem = Item<{ readonly body: Status }>;
export type BatchItem = Item<{ readonly stream: StreamName; readonly body: Batch }>;
export type EventItem = Item<{ readonly body: FieldEvent }>;
export type SectionItem = Item<{ readonly section: string; readonly body: SectionReport }>;
export type ProgressItem = Item<{ readonly section: string; readonly body: SectionProgress }>;
export type ResultItem = Item<{ readonly id: string; readonly body: Result }>;
export type AccountsItem = Item<{ readonly body: AccountReport }>;
export type BundleItem = Item<{ readonly id: string; readonly body: BundleReport }>;

/** A sent message that was acknowledged by the gateway or its broker. */
export type Delivered =
  | { readonly kind: 'sent_section'; readonly section: string; readonly rev: number }
  | { readonly kind: 'sent_set'; readonly id: string; readonly sections: readonly { readonly section: string; readonly rev: number }[] }
  | { readonly kind: 'sent_keep'; readonly id: string }
  | { readonly kind: 'sent_command'; readonly id: string }
  | { readonly kind: 'sent_accounts'; readonly rev: number }
  | { readonly kind: 'sent_danger'; readonly rev: number };

export type Stored = Exclude<GatewayMessage, { kind: 'enrol' }> | Delivered;

export class Tx {
  readonly #client: PoolClient;
  readonly now: number;
  readonly node: string;
  readonly changes = new Map<DeviceChange, Set<number>>();
  /** Gateways that may have pending messages now. */
  readonly deliverTo = new Set<string>();
  readonly ackHelloTo = new Set<string>();
  readonly notifications: string[] = [];
  /** Stored data that could not be read. Logged after the commit. */
  readonly unreadable: Unreadable[] = [];
  /** Stored link of each device, so that an unchanged status needs no write. */
  readonly links = new Map<number, string | null>();
  /** Boot of each device at its last hello. Messages of another boot are late. */
  readonly boots = new Map<number, string | null>();

  readonly #secretKey: Buffer | undefined;

  constructor(client: PoolClient, now: number, node: string, secretKey?: Buffer) {
    this.#client = client;
    this.#secretKey = secretKey;
    this.now = now;
    this.node = node;
  }

  /** The set of statements is fixed, so each is a named prepared statement per connection. */
  async query<R extends QueryResultRow>(name: string, text: string, values: readonly unknown[]): Promise<R[]> {
    const { rows } = await this.#client.query<R>({ name: `field_${name}`, text, values: [...values] });
    return rows;
  }

  /** Key that seals secrets in gateway reports. */
  get secretKey(): Buffer {
    if (!this.#secretKey) throw new Error('nothing to seal with');
    return this.#secretKey;
  }

  changed(what: DeviceChange, device: number) {
    const set = this.changes.get(what) ?? new Set();
    set.add(device);
    this.changes.set(what, set);
  }
}

/** The last item of each key, sorted by key, so that all processes lock in the same order. */
export const lastOf = <T>(items: readonly T[], keyOf: (item: T) => string | number): T[] => {
  const last = new Map(items.map((item) => [keyOf(item), item]));
  return [...last].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, item]) => item);
};
