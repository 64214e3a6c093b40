import { sha256 } from '@farlink/gateway/protocol/merkle.ts';
import { type CanonicalValue, canonical } from './canonical.ts';
import { type AuditKind, auditSpecs } from './kinds.ts';

/** The stored columns that a leaf is made of. */
export interface LeafRow {
  readonly [column: string]: CanonicalValue | undefined;
}

/** Leaf of RFC 6962: the hash of a zero byte and the data. */
const leafOf = (name: string, values: readonly CanonicalValue[]): Buffer => sha256(canonical(name, values, '\0'));

/** The same leaf from values that are in the order of the columns. It changes the list. */
export const reportedLeaf = (kind: AuditKind, values: CanonicalValue[], commitment: CanonicalValue): Buffer => {
  values.push(commitment);
  return leafOf(kind, values);
};

/** Leaf of the reported values. Sealed values enter by their commitment, so the leaf can be computed after their key is deleted. */
export const rowLeaf = (kind: AuditKind, row: LeafRow): Buffer => {
  const values = auditSpecs[kind].columns.map(([column]) => row[column] ?? null);
  return reportedLeaf(kind, values, row.commitment ?? null);
};

/** Leaf of the values that the console added to a row. */
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
