import type { Pool } from 'pg';
import type { CanonicalValue } from './canonical.ts';
import { type AuditKind, auditSpecs } from './kinds.ts';
import { addedLeaf, type BatchFacts, batchLeaf, isMaskedApart, leafValues, rowLeaf } from './leaves.ts';
import { type Log, type LogLeaf, readNodes } from './log.ts';
import { logInclusion } from './log-tree.ts';
import { batchColumns, inSealOrder } from './seal.ts';
import { maskedSalt } from './sealed-values.ts';
import type { Query } from './transaction.ts';
import { proofFrom, treeLevels } from './tree-levels.ts';

/** A row of audit data. */
export interface RowRef {
  readonly batch: string;
  readonly n: number;
  readonly stored_at: number;
}

export const hex = (bytes: Buffer | null): string | null => bytes?.toString('hex') ?? null;
const hexes = (proof: readonly Buffer[]): string[] => proof.map((one) => one.toString('hex'));

export type ProofRow = Readonly<Record<string, CanonicalValue>> & {
  readonly n: number;
  readonly sealed: Buffer | null;
  readonly key_id: number | null;
};

/** A row with the siblings of both of its leaves. Bytes are in hex. */
export interface RowProof {
  readonly kind: AuditKind;
  readonly batch: string;
  readonly n: number;
  readonly device_id: CanonicalValue;
  readonly agent_id: CanonicalValue;
  readonly subscriber_id: CanonicalValue;
  /** Reported values in the order of the canonical form. A masked value with a commitment is null here. */
  readonly values: readonly (readonly [column: string, value: CanonicalValue])[];
  /** The masked value and the salt of its commitment, with the right to reveal. */
  readonly masked?: { readonly value: CanonicalValue; readonly salt: string };
  readonly commitment: string | null;
  readonly added_commitment: string | null;
  readonly proof: readonly string[];
  readonly added_proof: readonly string[];
}

/** A batch with its position below a seal. `seal` null: not sealed yet. */
export interface BatchProof extends Omit<BatchFacts, 'root' | 'added_root'> {
  readonly root: string;
  readonly added_root: string;
  readonly seal: number | null;
  readonly index: number;
  readonly proof: readonly string[];
}

export interface SealProof extends Omit<LogLeaf, 'root'> {
  readonly root: string;
  readonly proof: readonly string[];
}

type StoredBatch = BatchFacts & { readonly seal: number | null };

const cellOf = (row: ProofRow, name: string): CanonicalValue => row[name] ?? null;
const bytesOf = (row: ProofRow, name: string): string | null => {
  const value = row[name];
  return Buffer.isBuffer(value) ? value.toString('hex') : null;
};

/** A row that cannot be proven without its masked value: its hashes are not salted, so they would reveal the value to a search. */
export interface WithheldRow extends Pick<RowProof, 'kind' | 'batch' | 'n'> {
  readonly withheld: true;
}

/** The proof of a row without the right to reveal. */
export const withoutMasked = ({ masked, ...proof }: RowProof): RowProof | WithheldRow => {
  const { kind, batch, n } = proof;
  return auditSpecs[kind].masked === undefined || isMaskedApart(kind, { added_commitment: proof.added_commitment })
    ? proof
    : { kind, batch, n, withheld: true };
};

const maskedOf = (secretKey: Buffer, kind: AuditKind, ref: Pick<RowRef, 'batch'>, row: ProofRow): Pick<RowProof, 'masked'> => {
  const { masked } = auditSpecs[kind];
  if (masked === undefined || !isMaskedApart(kind, row)) return {};
  return { masked: { value: cellOf(row, masked), salt: maskedSalt(secretKey, { batch: ref.batch, n: row.n }).toString('hex') } };
};

/** Rows of one batch with proofs. All rows of the batch are read, because siblings depend on them. */
export const rowProofs = async (
  query: Query,
  kind: AuditKind,
  ref: Pick<RowRef, 'batch' | 'stored_at'>,
  numbers: ReadonlySet<number>,
  secretKey: Buffer,
): Promise<{ readonly row: ProofRow; readonly proof: RowProof }[]> => {
  const { table, columns } = auditSpecs[kind];
  const names = columns.map(([column]) => column);
  const rows = await query<ProofRow>(
    `select n, device_id, agent_id, subscriber_id, key_id, sealed, commitment, added_commitment, ${names.join(', ')}
     from ${table} where batch = $1 and stored_at = $2 order by n`,
    [ref.batch, ref.stored_at],
  );
  const reported = treeLevels(rows.map((row) => rowLeaf(kind, row)));
  const added = treeLevels(rows.map((row) => addedLeaf(kind, row)));
  return rows.flatMap((row, i) => {
    if (!numbers.has(row.n)) return [];
    const values = leafValues(kind, row);
    const proof = {
      kind,
      batch: ref.batch,
      n: row.n,
      device_id: cellOf(row, 'device_id'),
      agent_id: cellOf(row, 'agent_id'),
      subscriber_id: cellOf(row, 'subscriber_id'),
      values: names.map((name, at) => [name, values[at] ?? null] as const),
      ...maskedOf(secretKey, kind, ref, row),
      commitment: bytesOf(row, 'commitment'),
      added_commitment: bytesOf(row, 'added_commitment'),
      proof: hexes(proofFrom(reported, i)),
      added_proof: hexes(proofFrom(added, i)),
    };
    return [{ row, proof }];
  });
};

/** Proofs of batches and seals below one state of the log. */
export const sealProofs = (query: Query, log: Pick<Log, 'size'>) => {
  const below = new Map<number, Promise<{ batches: readonly StoredBatch[]; levels: readonly (readonly Buffer[])[] }>>();
  const belowSeal = (seal: number) => {
    const read = async () => {
      const batches = inSealOrder(await query<StoredBatch>(`select ${batchColumns}, seal from audit_batch where seal = $1`, [seal]));
      return { batches, levels: treeLevels(batches.map(batchLeaf)) };
    };
    const found = below.get(seal) ?? read();
    // The batches of one seal are read together; others are forgotten.
    if (!below.has(seal)) below.clear();
    below.set(seal, found);
    return found;
  };
  const batchProof = async (id: string): Promise<BatchProof | undefined> => {
    const [batch] = await query<StoredBatch>(`select ${batchColumns}, seal from audit_batch where id = $1`, [id]);
    if (!batch) return undefined;
    const facts = { ...batch, root: batch.root.toString('hex'), added_root: batch.added_root.toString('hex') };
    if (batch.seal === null || batch.seal >= log.size) return { ...facts, seal: null, index: 0, proof: [] };
    const { batches, levels } = await belowSeal(batch.seal);
    const index = batches.findIndex((one) => one.id === id);
    return { ...facts, index, proof: hexes(proofFrom(levels, index)) };
  };
  const sealProof = async (index: number): Promise<SealProof | undefined> => {
    const [leaf] = await query<LogLeaf>(
      'select index, type, kind, from_at, batches, rows, root, note, create_at from audit_leaf where index = $1',
      [index],
    );
    if (!leaf) return undefined;
    return { ...leaf, root: leaf.root.toString('hex'), proof: hexes(await logInclusion(index, log.size, readNodes(query))) };
  };
  return { batchProof, sealProof };
};

export const poolQuery =
  (pool: Pool): Query =>
  async (text, values = []) =>
    (await pool.query(text, [...values])).rows;
