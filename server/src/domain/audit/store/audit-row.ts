import { type AuditStream, isAuditStream } from '@farlink/gateway/protocol/audit.ts';
import type { Batch } from '@farlink/gateway/protocol/stream.ts';
import type { QueryResultRow } from 'pg';
import type { AuditKind } from '../kinds.ts';
import type { SealedContent } from '../sealed-values.ts';

export type Cell = string | number | null;

/** A batch of an audit stream, from a gateway or from RADIUS. */
export interface AuditItem {
  readonly device: number;
  readonly stream: AuditStream;
  readonly body: Pick<Batch, 'b' | 'seq' | 'rows'> & Partial<Batch>;
}
export const isAuditItem = <Item extends { readonly stream: string }>(item: Item): item is Item & { readonly stream: AuditStream } =>
  isAuditStream(item.stream);

/** Stored data that could not be read. */
export type Unreadable =
  | { readonly what: 'id number of a subscriber'; readonly subscriber_id: number }
  | { readonly what: 'audit key'; readonly key_id: number };

/** The transaction that stores audit data. */
export interface AuditTx {
  readonly now: number;
  readonly secretKey: Buffer;
  readonly unreadable: Unreadable[];
  query<R extends QueryResultRow>(name: string, text: string, values: readonly unknown[]): Promise<R[]>;
}

/** Values of one row on the wire. */
export type Cells = Readonly<Record<string, string | number>>;

/** A row of any kind on its way into its table. */
export interface AuditRow {
  readonly batch: string;
  readonly n: number;
  readonly device_id: number;
  readonly agent_id: number;
  readonly subscriber_id: number | null;
  /** Plain columns by name, in the order of the canonical form. */
  readonly plain: Readonly<Record<string, Cell>>;
  readonly content: SealedContent | undefined;
  readonly commitment: Buffer | null;
  readonly added_commitment: Buffer | null;
}

/** A batch with its rows, before it is bound by roots. */
export interface AuditBatch {
  readonly id: string;
  readonly kind: AuditKind;
  readonly device_id: number;
  readonly agent_id: number;
  readonly boot: string;
  readonly seq: number;
  readonly rows: readonly AuditRow[];
}
