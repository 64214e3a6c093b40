import type {
  BundleReport,
  Bye,
  FieldEvent,
  GatewayMessage,
  Hello,
  Result,
  SectionReport,
  Status,
} from '@farlink/gateway/protocol/message.ts';
import type { Batch, StreamName } from '@farlink/gateway/protocol/stream.ts';
import type { PoolClient, QueryResultRow } from 'pg';
import type { DeviceChange } from '../../orders/notify.ts';

/** What a gateway said, with everything that the storing of it needs to know. */
interface From {
  readonly sn: string;
  /** The device behind the SN; filled in when the batch is stored. */
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
export type ResultItem = Item<{ readonly id: string; readonly body: Result }>;
export type BundleItem = Item<{ readonly id: string; readonly body: BundleReport }>;

/** Sent down and taken by the gateway's side of the connection. */
export type Delivered =
  | { readonly kind: 'sent_section'; readonly section: string; readonly rev: number }
  | { readonly kind: 'sent_set'; readonly id: string; readonly sections: readonly { readonly section: string; readonly rev: number }[] }
  | { readonly kind: 'sent_keep'; readonly id: string }
  | { readonly kind: 'sent_command'; readonly id: string };

export type Stored = Exclude<GatewayMessage, { kind: 'enrol' }> | Delivered;

/** One transaction over a batch of messages. */
export class Tx {
  readonly #client: PoolClient;
  readonly now: number;
  readonly node: string;
  readonly changes = new Map<DeviceChange, Set<number>>();
  /** Gateways for which something may have to be sent now. */
  readonly deliverTo = new Set<string>();
  readonly ackHelloTo = new Set<string>();
  readonly notices: string[] = [];
  /** The link of each device as it is stored, so that a status that changes nothing costs nothing. */
  readonly links = new Map<number, string | null>();
  /** The boot in which each device is by its last hello: what comes of another one is late. */
  readonly boots = new Map<number, string | null>();

  readonly #secretKey: Buffer | undefined;

  constructor(client: PoolClient, now: number, node: string, secretKey?: Buffer) {
    this.#client = client;
    this.#secretKey = secretKey;
    this.now = now;
    this.node = node;
  }

  /** Statements are few and stand in the code, so each is planned once a connection, under its name. */
  async query<R extends QueryResultRow>(name: string, text: string, values: readonly unknown[]): Promise<R[]> {
    const { rows } = await this.#client.query<R>({ name: `field_${name}`, text, values: [...values] });
    return rows;
  }

  /** By which secrets in what gateways tell are sealed before they are stored. */
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

/** The last of each key, in the order of the keys: two processes that store at once lock in the same order. */
export const lastOf = <T>(items: readonly T[], keyOf: (item: T) => string | number): T[] => {
  const last = new Map(items.map((item) => [keyOf(item), item]));
  return [...last].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, item]) => item);
};
