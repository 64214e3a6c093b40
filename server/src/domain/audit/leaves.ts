import { hash } from 'node:crypto';
import { type CanonicalValue, canonical } from './canonical.ts';
import { type AuditKind, auditSpecs } from './kinds.ts';
import { leafHash } from './merkle.ts';

/** The stored columns that a leaf is made of. */
export interface LeafRow {
  readonly [column: string]: CanonicalValue | undefined;
}

/** Leaf of the reported values. Sealed values enter by their commitment, so the leaf can be computed after their key is deleted. */
export const rowLeaf = (kind: AuditKind, row: LeafRow): Buffer => {
  const { columns } = auditSpecs[kind];
  return leafHash(canonical(kind, [...columns.map(([column]) => row[column] ?? null), row.commitment ?? null]));
};

/** Leaf of the values that the console added to a row. */
export const addedLeaf = (kind: AuditKind, row: LeafRow): Buffer =>
  leafHash(canonical(`${kind}+`, [row.device_id ?? null, row.agent_id ?? null, row.subscriber_id ?? null, row.added_commitment ?? null]));

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
  leafHash(canonical('batch', [b.id, b.kind, b.device_id, b.agent_id, b.boot, b.seq, b.count, b.stored_at, b.root, b.added_root]));

/** Commitment to the sealed values of a row. Values in declared order; a missing one is null. */
export const commit = (salt: Buffer, values: readonly (string | null)[]): Buffer =>
  hash('sha256', Buffer.concat([salt, canonical('sealed', values)]), 'buffer');
