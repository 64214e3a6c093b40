import { hash } from 'node:crypto';
import { leafHash } from '@farlink/gateway/protocol/merkle.ts';
import type { PoolClient } from 'pg';
import Cursor from 'pg-cursor';
import { type CanonicalValue, canonical, canonicalVersion } from './canonical.ts';
import type { Finding } from './findings.ts';
import { type AuditColumn, type AuditKind, auditSpecs } from './kinds.ts';
import type { BatchFacts } from './leaves.ts';
import { hasCommitments, indexColumns, type SealedChecker } from './verify-sealed.ts';

/** Rows per step; other requests run between two steps. */
const batchSize = 1000;
const maxKnown = 10_000;

/** A kind and a range of times of storing. */
export interface Period {
  readonly kind: AuditKind;
  readonly from: number;
  readonly to: number;
}

/** Leaves of a batch by row number. */
export interface BatchLeaves {
  readonly reported: Buffer[];
  readonly added: Buffer[];
}

type Line = readonly CanonicalValue[];

/** Canonical form of a value, computed by the database, because reading each column costs more than hashing them. */
const canonicalSql = ([column, type]: AuditColumn): string =>
  type === 'text'
    ? `coalesce('t' || octet_length(${column}) || ':' || ${column}, 'n;')`
    : `coalesce('i' || length(${column}::text) || ':' || ${column}::text, 'n;')`;

/** A masked value is not in the leaf of a row with a commitment to it. */
const leafSql = (kind: AuditKind, column: AuditColumn): string =>
  column[0] === auditSpecs[kind].masked
    ? `case when added_commitment is null then ${canonicalSql(column)} else 'n;' end`
    : canonicalSql(column);

/** Position of the row, values of the second leaf, canonical form of the reported values, their commitment, sealed and masked values. */
const columnsOf = (kind: AuditKind): string[] => [
  ...['batch', 'n', 'stored_at', 'device_id', 'agent_id', 'subscriber_id', 'added_commitment'],
  auditSpecs[kind].columns.map((column) => leafSql(kind, column)).join(' || '),
  'commitment',
  ...(hasCommitments(kind) ? ['key_id', 'sealed', auditSpecs[kind].masked ?? 'null', ...indexColumns[kind]] : []),
];
const addedFrom = 3;
const reportedFrom = 7;
const sealedFrom = 9;

/** Leaf of the reported values. */
const reportedLeaf = (kind: AuditKind, values: string, commitment: Buffer | null): Buffer => {
  const text = `${canonicalVersion}\0${kind}\0${values}`;
  if (commitment === null) return Buffer.from(hash('sha256', `\0${text}n;`, 'hex'), 'hex');
  return leafHash(Buffer.concat([Buffer.from(`${text}b${commitment.length}:`), commitment]));
};

/** Leaf of the added values. Rows of a device have mostly the same ones. */
const addedLeaves = (kind: AuditKind) => {
  const known = new Map<string, Buffer>();
  return (line: Line): Buffer => {
    const values = line.slice(addedFrom, reportedFrom);
    if (values.at(-1) !== null) return leafHash(canonical(`${kind}+`, values));
    const name = values.join(' ');
    const found = known.get(name) ?? leafHash(canonical(`${kind}+`, values));
    if (known.size > maxKnown) known.clear();
    known.set(name, found);
    return found;
  };
};

const bytesOf = (value: unknown): Buffer | null => (Buffer.isBuffer(value) ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const indexOf = (value: unknown) => (Array.isArray(value) ? value.map(Number) : numberOf(value));

const rowIdOf = (line: Line) => ({ batch: String(line[0]), n: Number(line[1]), from_at: Number(line[2]), device_id: Number(line[3]) });

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const sealedCells = (line: Line, at: number) => ({
  batch: String(line[0]),
  n: Number(line[1]),
  masked: textOf(line[at + 2]),
  key_id: numberOf(line[at]),
  sealed: bytesOf(line[at + 1]),
  indexes: line.slice(at + 3).map(indexOf),
  commitment: bytesOf(line[at - 1]),
  added_commitment: bytesOf(line[reportedFrom - 1]),
});

export interface RowsRead {
  readonly rows: number;
  readonly leaves: ReadonlyMap<string, BatchLeaves>;
  readonly findings: readonly Finding[];
}

/** Streams the rows of a period and computes their leaves. Rows that belong to no batch of the period are findings. */
export const readRows = async (
  client: PoolClient,
  { kind, from, to }: Period,
  batches: ReadonlyMap<string, BatchFacts>,
  checker: SealedChecker,
): Promise<RowsRead> => {
  const addedLeaf = addedLeaves(kind);
  const leaves = new Map<string, BatchLeaves>();
  for (const id of batches.keys()) leaves.set(id, { reported: [], added: [] });
  const findings: Finding[] = [];
  let rows = 0;
  const take = (line: Line) => {
    const { batch, n, from_at } = rowIdOf(line);
    const facts = batches.get(batch);
    const found = leaves.get(batch);
    if (facts && found && facts.stored_at === from_at && n >= 0 && n < facts.count && !found.reported[n]) {
      found.reported[n] = reportedLeaf(kind, String(line[reportedFrom]), bytesOf(line[reportedFrom + 1]));
      found.added[n] = addedLeaf(line);
    } else findings.push({ type: 'row_added', kind, batch, n, from_at });
  };
  const checkSealed = async (lines: readonly Line[]) => {
    await checker.load(lines.map((line) => numberOf(line[sealedFrom])));
    for (const line of lines)
      if (checker.isAltered(kind, sealedCells(line, sealedFrom))) findings.push({ type: 'sealed_altered', kind, ...rowIdOf(line) });
  };
  const text = `select ${columnsOf(kind).join(', ')} from ${auditSpecs[kind].table} where stored_at >= $1 and stored_at < $2`;
  const cursor = client.query(new Cursor<Line>(text, [from, to], { rowMode: 'array' }));
  // The database reads the next rows while these are hashed.
  let coming = cursor.read(batchSize);
  for (;;) {
    const lines = await coming;
    if (lines.length === 0) break;
    coming = cursor.read(batchSize);
    coming.catch(() => {});
    for (const line of lines) take(line);
    if (hasCommitments(kind)) await checkSealed(lines);
    rows += lines.length;
  }
  await cursor.close();
  return { rows, leaves, findings };
};
