import { rootOf } from '@farlink/gateway/protocol/merkle.ts';
import { commitmentsOf, maskedCommitment } from '../commitments.ts';
import { auditKinds, auditSpecs } from '../kinds.ts';
import { addedLeaf, rowLeaf } from '../leaves.ts';
import { indexKeyOf, sealValues } from '../sealed-values.ts';
import { keyName, monthOf, type SubjectMonth, subjectKeys, subjectOf } from '../subject-keys.ts';
import type { AuditBatch, AuditItem, AuditRow, AuditTx } from './audit-row.ts';
import { batchRows } from './batch-rows.ts';
import { type BatchRoots, indexesOf, insertBatches, insertRows, type SealedRow } from './insert.ts';
import { auditOwners } from './owners.ts';
import { storeTerminals } from './terminals.ts';

/** Batches with their rows. An empty batch proves nothing and is not stored. */
export const readBatches = async (tx: AuditTx, items: readonly AuditItem[]): Promise<AuditBatch[]> => {
  const filled = items.filter(({ body }) => body.rows.length > 0);
  if (filled.length === 0) return [];
  const owner = await auditOwners(tx, filled);
  return filled.map((item) => batchRows(item, owner, tx.now));
};

/** Text as it is stored: an empty one differs from none. */
const storedText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Adds the commitments to sealed and masked values. */
export const commitBatch = (batch: AuditBatch, secretKey: Buffer): AuditBatch => {
  const { masked } = auditSpecs[batch.kind];
  const withMasked = (row: AuditRow): AuditRow =>
    masked === undefined ? row : { ...row, added_commitment: maskedCommitment(secretKey, row, storedText(row.plain[masked])) };
  const rows = batch.rows.map((row) => withMasked(row.content ? { ...row, ...commitmentsOf(batch.kind, row.content) } : row));
  return { ...batch, rows };
};

/** Roots over the values as they are stored. */
export const bindBatch = (batch: AuditBatch): BatchRoots => {
  const { kind, rows } = batch;
  const root = rootOf(rows.map(({ plain, commitment, added_commitment }) => rowLeaf(kind, { ...plain, commitment, added_commitment })));
  const same = new Map<string, Buffer>();
  const added = rows.map(({ device_id, agent_id, subscriber_id, added_commitment }) => {
    const leaf = () => addedLeaf(kind, { device_id, agent_id, subscriber_id, added_commitment });
    if (added_commitment) return leaf();
    // Rows of the same person without added values have the same leaf.
    const name = `${agent_id} ${subscriber_id}`;
    const known = same.get(name) ?? leaf();
    same.set(name, known);
    return known;
  });
  return { batch, root, addedRoot: rootOf(added) };
};

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

const subjectMonthOf = (row: AuditRow): SubjectMonth => ({
  subject: subjectOf({ ...row, account: textOf(row.plain.account), mac: textOf(row.plain.mac) }),
  month: monthOf(Number(row.plain.at)),
});

export type SealedBatch = AuditBatch & { readonly sealed: readonly SealedRow[] };

const unsealed = (row: AuditRow): SealedRow => ({ row, keyId: null, sealed: null, indexes: undefined });

/** Seals the rows of all kinds with the keys of their subjects. */
export const sealBatches = async (tx: AuditTx, batches: readonly AuditBatch[]): Promise<SealedBatch[]> => {
  const subjects = new Map<AuditRow, SubjectMonth>();
  for (const { rows } of batches) for (const row of rows) if (row.content) subjects.set(row, subjectMonthOf(row));
  if (subjects.size === 0) return batches.map((batch) => ({ ...batch, sealed: batch.rows.map(unsealed) }));
  const keys = await subjectKeys(
    (name, text, values) => tx.query(name, text, values),
    tx.secretKey,
    tx.now,
    [...subjects.values()],
    ({ id }) => tx.unreadable.push({ what: 'audit key', key_id: id }),
  );
  const indexKey = indexKeyOf(tx.secretKey);
  return batches.map((batch) => ({
    ...batch,
    sealed: batch.rows.map((row) => {
      const subject = subjects.get(row);
      const key = subject && keys.get(keyName(subject));
      if (!key || !row.content) return unsealed(row);
      return { row, keyId: key.id, sealed: sealValues(key.key, row.content), indexes: indexesOf(batch.kind, indexKey, row.content) };
    }),
  }));
};

/** Inserts the rows of all batches, one statement for each kind. */
export const insertSealed = async (tx: AuditTx, batches: readonly SealedBatch[]) => {
  for (const kind of auditKinds) {
    const rows = batches.flatMap((batch) => (batch.kind === kind ? batch.sealed : []));
    if (rows.length > 0) await insertRows(tx, kind, rows);
  }
};

/** Stores audit batches with the roots that bind their rows, in the commit of the batches. */
export const storeAudit = async (tx: AuditTx, items: readonly AuditItem[]) => {
  const batches = (await readBatches(tx, items)).map((batch) => commitBatch(batch, tx.secretKey));
  if (batches.length === 0) return;
  await insertSealed(tx, await sealBatches(tx, batches));
  await insertBatches(tx, batches.map(bindBatch));
  const seen = batches.flatMap(({ kind, rows }) => (kind === 'terminal' ? rows : []));
  if (seen.length > 0) await storeTerminals(tx, seen);
};
