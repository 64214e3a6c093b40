import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { maskedCommitment } from './commitments.ts';
import { type AuditKind, addedValues, auditSpecs } from './kinds.ts';
import { commit } from './leaves.ts';
import { addressesOf, blindIndex, indexKeyOf, openValues, type SealedContent } from './sealed-values.ts';
import { unwrapKey } from './subject-keys.ts';

/** Blind indexes of a row, in the order in which they are read. */
export const indexColumns: Readonly<Record<AuditKind, readonly string[]>> = {
  auth: ['name_index', 'phone_index', 'id_number_index'],
  identity: [],
  url: [],
  forum: ['title_index'],
  mail: ['sender_index', 'receiver_index', 'subject_index'],
  terminal: [],
};

/** Kinds with sealed or masked values. */
export const hasCommitments = (kind: AuditKind): boolean => indexColumns[kind].length > 0 || auditSpecs[kind].masked !== undefined;

export interface SealedCells {
  readonly batch: string;
  readonly n: number;
  /** The value that is shown masked. */
  readonly masked: string | null;
  readonly key_id: number | null;
  readonly sealed: Buffer | null;
  readonly commitment: Buffer | null;
  readonly added_commitment: Buffer | null;
  readonly indexes: readonly (number | readonly number[] | null)[];
}

const indexesOf = (kind: AuditKind, indexKey: Buffer, { values }: SealedContent) =>
  indexColumns[kind].map((column) => {
    const field = column.slice(0, -'_index'.length);
    if (field === 'receiver')
      return [...addressesOf(values.receiver), ...addressesOf(values.cc)].map((one) => blindIndex(indexKey, field, one));
    const value = values[field];
    return value === undefined ? null : blindIndex(indexKey, field, value);
  });

const isCommitted = (salt: string | undefined, values: readonly (string | null)[], commitment: Buffer | null): boolean =>
  commitment === null ? salt === undefined : salt !== undefined && commit(Buffer.from(salt, 'hex'), values).equals(commitment);

const isWhole = (kind: AuditKind, key: KeyObject, indexKey: Buffer, cells: SealedCells, sealed: Buffer): boolean => {
  let content: SealedContent;
  try {
    content = openValues(key, sealed);
  } catch {
    return false;
  }
  const { values, salt, addedSalt } = content;
  const valuesOf = (names: readonly string[]) => names.map((name) => values[name] ?? null);
  const reported = auditSpecs[kind].sealed.map(([name]) => name);
  return (
    isCommitted(salt, valuesOf(reported), cells.commitment) &&
    (auditSpecs[kind].masked !== undefined || isCommitted(addedSalt, valuesOf(addedValues), cells.added_commitment)) &&
    JSON.stringify(indexesOf(kind, indexKey, content)) === JSON.stringify(cells.indexes)
  );
};

/** Reads keys once per period. A key that was deleted leaves its rows unreadable, which is not an alteration. */
export const sealedChecker = (pool: Pool, secretKey: Buffer) => {
  const indexKey = indexKeyOf(secretKey);
  const keys = new Map<number, KeyObject | undefined>();
  const load = async (ids: readonly (number | null)[]) => {
    const missing = [...new Set(ids)].filter((id) => id !== null).filter((id) => !keys.has(id));
    if (missing.length === 0) return;
    for (const id of missing) keys.set(id, undefined);
    const text = 'select id, wrapped from audit_key where id = any($1::bigint[])';
    const { rows } = await pool.query<{ id: number; wrapped: string }>(text, [missing]);
    for (const { id, wrapped } of rows) keys.set(id, unwrapKey(secretKey, wrapped));
  };
  const isMaskedAltered = (kind: AuditKind, { masked, added_commitment, ...position }: SealedCells): boolean =>
    auditSpecs[kind].masked !== undefined &&
    added_commitment !== null &&
    !maskedCommitment(secretKey, position, masked).equals(added_commitment);
  const isAltered = (kind: AuditKind, cells: SealedCells): boolean => {
    const { sealed, key_id, commitment, added_commitment } = cells;
    if (isMaskedAltered(kind, cells)) return true;
    if (sealed === null) return commitment !== null || (added_commitment !== null && auditSpecs[kind].masked === undefined);
    const key = key_id === null ? undefined : keys.get(key_id);
    return key ? !isWhole(kind, key, indexKey, cells, sealed) : false;
  };
  return { load, isAltered };
};
export type SealedChecker = ReturnType<typeof sealedChecker>;
