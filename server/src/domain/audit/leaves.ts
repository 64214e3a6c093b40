import { sha256 } from '@farlink/gateway/protocol/merkle.ts';
import { type CanonicalValue, canonical } from './canonical.ts';
import { type AuditKind, auditSpecs } from './kinds.ts';

/** The stored columns that a leaf is made of. */
export interface LeafRow {
  readonly [column: string]: CanonicalValue | undefined;
}

/** Leaf of RFC 6962: the hash of a zero byte and the data. */
const leafOf = (name: string, values: readonly CanonicalValue[]): Buffer => sha256(canonical(name, values, '\0'));

/** Whether the row has a salted commitment to its masked value. Older rows have none. */
export const isMaskedApart = (kind: AuditKind, row: LeafRow): boolean =>
  auditSpecs[kind].masked !== undefined && row.added_commitment != null;

/** Plain values as they enter the leaf of a row. */
export const leafValues = (kind: AuditKind, row: LeafRow): CanonicalValue[] => {
  const { columns, masked } = auditSpecs[kind];
  const apart = isMaskedApart(kind, row) ? masked : undefined;
  return columns.map(([column]) => (column === apart ? null : (row[column] ?? null)));
};

/** Leaf of the reported values. Sealed values enter by their commitment, so the leaf can be computed after their key is deleted. */
export const rowLeaf = (kind: AuditKind, row: LeafRow): Buffer => leafOf(kind, [...leafValues(kind, row), row.commitment ?? null]);

/** Leaf of the values that the console added to a row, and of the commitment to its masked value. */
export const addedLeaf = (kind: AuditKind, row: LeafRow): Buffer =>
  leafOf(`${kind}+`, [row.device_id ?? null, row.agent_id ?? null, row.subscriber_id ?? null, row.added_commitment ?? null]);

export interface BatchFacts {
  readonly id: string;
  readonly kind: AuditKind;
  readonly device_id: number;
  readonly agent_id: number;
  readonly boot: string;
  readonly seq: number;
  readonly count: number;
  readonly stored_at: number;
  readonly root: Buffer;
  readonly added_root: Buffer;
}

/** Leaf of a batch in the tree of its minute. */
export const batchLeaf = (b: BatchFacts): Buffer =>
  leafOf('batch', [b.id, b.kind, b.device_id, b.agent_id, b.boot, b.seq, b.count, b.stored_at, b.root, b.added_root]);

/** Commitment to the sealed values of a row. Values in declared order; a missing one is null. */
export const commit = (salt: Buffer, values: readonly (string | null)[]): Buffer =>
  sha256(Buffer.concat([salt, canonical('sealed', values)]));
