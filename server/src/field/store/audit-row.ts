import { type AuditStream, isAuditStream } from '@farlink/gateway/protocol/audit.ts';
import type { AuditKind } from '../../domain/audit/kinds.ts';
import type { SealedContent } from '../../domain/audit/sealed-values.ts';
import type { BatchItem } from './tx.ts';

export type Cell = string | number | null;

/** A batch of an audit stream. */
export type AuditItem = BatchItem & { readonly stream: AuditStream };
export const isAuditItem = (item: BatchItem): item is AuditItem => isAuditStream(item.stream);

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
