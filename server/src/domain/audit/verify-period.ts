import { setImmediate } from 'node:timers/promises';
import { rootOf, rootOfEqual } from '@farlink/gateway/protocol/merkle.ts';
import type { Pool } from 'pg';
import { weekS } from '../../db/partitions.ts';
import { readSpread } from '../../db/spread/cluster.ts';
import { waitForCommits } from '../../db/spread/wait-for-commits.ts';
import type { Finding } from './findings.ts';
import { type AuditKind, auditSpecs } from './kinds.ts';
import { type BatchFacts, batchLeaf } from './leaves.ts';
import type { LogLeaf } from './log.ts';
import { batchColumns, inSealOrder, minuteOf, minuteS } from './seal.ts';
import { inTransaction, type Query, snapshot } from './transaction.ts';
import { type BatchLeaves, type Period, readRows } from './verify-rows.ts';
import { sealedChecker } from './verify-sealed.ts';

type StoredBatch = BatchFacts & { readonly seal: number | null };

/** Maximum rows of a batch that findings name. */
const maxNamed = 100;

/** Packed rows have no transaction id. */
const isPacked = async (query: Query, kind: AuditKind, stored_at: number): Promise<boolean> => {
  const rows = await query(
    `select 1 as found from pg_class c join pg_am m on m.oid = c.relam where m.amname = 'columnar' and c.relname = $1`,
    [`${auditSpecs[kind].table}_w${Math.floor(stored_at / weekS)}`],
  );
  return rows.length > 0;
};

/**
 * Rows of a batch that were written after the others: an UPDATE gives a row a newer transaction id. Undefined if that does not name them, as
 * after a restore.
 */
const rewrittenRows = async (query: Query, { kind, id, stored_at, count }: BatchFacts): Promise<number[]> => {
  if (count === 1) return [0];
  if (await isPacked(query, kind, stored_at)) return [];
  const rows = await query<{ n: number; age: number }>(
    `select n, age(xmin) as age from ${auditSpecs[kind].table} where batch = $1 and stored_at = $2 order by n`,
    [id, stored_at],
  );
  const oldest = Math.max(...rows.map(({ age }) => age));
  return rows.filter(({ age }) => age < oldest).map(({ n }) => n);
};

const missingRows = ({ count }: BatchFacts, { reported }: BatchLeaves): number[] => {
  const missing: number[] = [];
  for (let n = 0; n < count; n++) if (!reported[n]) missing.push(n);
  return missing;
};

/** The added values of a batch are mostly equal. */
const rootOfAdded = (leaves: readonly Buffer[]): Buffer => {
  const [first] = leaves;
  return first && leaves.every((leaf) => leaf === first) ? rootOfEqual(first, leaves.length) : rootOf(leaves);
};

/** A batch against its rows. */
const checkBatch = async (query: Query, batch: BatchFacts, leaves: BatchLeaves): Promise<Finding[]> => {
  const location = { kind: batch.kind, from_at: batch.stored_at, batch: batch.id, device_id: batch.device_id };
  const missing = missingRows(batch, leaves);
  if (missing.length > 0) return missing.slice(0, maxNamed).map((n) => ({ type: 'row_missing', ...location, n }));
  if (rootOf(leaves.reported).equals(batch.root) && rootOfAdded(leaves.added).equals(batch.added_root)) return [];
  const altered = await rewrittenRows(query, batch);
  if (altered.length === 0) return [{ type: 'row_altered', ...location, count: batch.count }];
  return altered.slice(0, maxNamed).map((n) => ({ type: 'row_altered', ...location, n }));
};

/** Batches of a seal that were written after the others: the sealer marks all of them in one transaction. */
const rewrittenBatches = async (query: Query, seal: number): Promise<{ id: string; device_id: number; stored_at: number }[]> => {
  const rows = await query<{ id: string; device_id: number; stored_at: number; is_newer: boolean }>(
    'select id, device_id, stored_at, age(xmin) < max(age(xmin)) over () as is_newer from audit_batch where seal = $1',
    [seal],
  );
  return rows.length === 1 ? rows : rows.filter(({ is_newer }) => is_newer);
};

/** A seal against its batches. */
const checkSeal = async (query: Query, seal: LogLeaf, batches: readonly StoredBatch[]): Promise<Finding[]> => {
  const kind = seal.kind ?? undefined;
  const location = { kind, from_at: seal.from_at };
  if (batches.length === 0) return [{ type: 'minute_missing', ...location, to_at: seal.from_at + minuteS }];
  if (rootOf(inSealOrder(batches).map(batchLeaf)).equals(seal.root) && batches.length === seal.batches) return [];
  if (batches.length < seal.batches) return [{ type: 'batch_missing', ...location, count: seal.batches - batches.length }];
  const type = batches.length > seal.batches ? 'batch_added' : 'batch_altered';
  const named = await rewrittenBatches(query, seal.index);
  const findings = named.map(({ id, device_id, stored_at }) => ({ type, kind, from_at: stored_at, batch: id, device_id }) as const);
  return findings.length > 0 ? findings : [{ type, ...location }];
};

/** Consecutive missing minutes are one finding. */
const joinMinutes = (findings: readonly Finding[]): Finding[] => {
  const joined: Finding[] = [];
  for (const finding of findings) {
    const last = joined.at(-1);
    const continues = last?.type === 'minute_missing' && finding.type === 'minute_missing' && last.to_at === finding.from_at;
    if (last && continues) joined[joined.length - 1] = { ...last, to_at: finding.to_at, count: (last.count ?? 1) + 1 };
    else joined.push(finding);
  }
  return joined;
};

export interface PeriodResult {
  readonly rows: number;
  readonly batches: number;
  readonly findings: readonly Finding[];
}

/** Batches that name a seal which is not one of their kind and minute. */
const misplaced = (batches: readonly StoredBatch[], seals: ReadonlyMap<number, LogLeaf>): Finding[] =>
  batches
    .filter(({ seal, stored_at }) => seal !== null && seals.get(seal)?.from_at !== minuteOf(stored_at))
    .map(({ kind, stored_at, id, device_id }) => ({ type: 'batch_added', kind, from_at: stored_at, batch: id, device_id }));

/** Verifies rows, batches and seals of a kind and of whole minutes, in one state of the database. */
const verifyOnce = (pool: Pool, secretKey: Buffer, period: Period): Promise<PeriodResult> =>
  inTransaction(pool, snapshot, async (query, client) => {
    const { kind, from, to } = period;
    const stored = await query<StoredBatch>(
      `select ${batchColumns}, seal from audit_batch where kind = $1 and stored_at >= $2 and stored_at < $3`,
      [kind, from, to],
    );
    const leaves = await query<LogLeaf>(
      "select * from audit_leaf where type = 'seal' and kind = $1 and from_at >= $2 and from_at < $3 order by from_at, index",
      [kind, from, to],
    );
    const read = await readRows(client, period, new Map(stored.map((batch) => [batch.id, batch])), sealedChecker(pool, secretKey));
    const findings: Finding[] = [...read.findings];
    for (const batch of stored) {
      findings.push(...(await checkBatch(query, batch, read.leaves.get(batch.id) ?? { reported: [], added: [] })));
      await setImmediate();
    }
    const bySeal = Map.groupBy(stored, ({ seal }) => seal);
    const minutes: Finding[] = [];
    for (const leaf of leaves) minutes.push(...(await checkSeal(query, leaf, bySeal.get(leaf.index) ?? [])));
    const added = misplaced(stored, new Map(leaves.map((leaf) => [leaf.index, leaf])));
    return { rows: read.rows, batches: stored.length, findings: [...findings, ...joinMinutes(minutes), ...added] };
  });

/** Citus workers share no snapshot with the coordinator, so a commit can be partly visible. The next read sees it complete. */
const maxAttempts = 3;

export const verifyPeriod = async (pool: Pool, secretKey: Buffer, period: Period): Promise<PeriodResult> => {
  for (let attempt = 1; ; attempt++) {
    const result = await verifyOnce(pool, secretKey, period);
    const isConsistent = !result.findings.some(({ type }) => type === 'row_missing' || type === 'row_added');
    if (isConsistent || attempt === maxAttempts || (await readSpread(pool)).size === 0) return result;
    await waitForCommits(pool);
  }
};
