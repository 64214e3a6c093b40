import { rootOf } from '@farlink/gateway/protocol/merkle.ts';
import type { Pool } from 'pg';
import { auditSpecs } from '../src/domain/audit/kinds.ts';
import { addedLeaf, type BatchFacts, type LeafRow, rowLeaf } from '../src/domain/audit/leaves.ts';

type StoredRow = LeafRow & { readonly n: number; readonly batch: string; readonly stored_at: number };

/** Batches whose roots differ from those of their stored rows, and rows without a batch. */
export const wrongBatches = async (pool: Pool): Promise<string[]> => {
  const { rows: batches } = await pool.query<BatchFacts>('select * from audit_batch order by id');
  const wrong: string[] = [];
  for (const [kind, { table }] of Object.entries(auditSpecs)) {
    const { rows } = await pool.query<StoredRow>(`select * from ${table} order by batch, n`);
    const byBatch = Map.groupBy(rows, ({ batch }) => batch);
    for (const batch of batches.filter((one) => one.kind === kind)) {
      const own = byBatch.get(batch.id) ?? [];
      byBatch.delete(batch.id);
      const isWhole = own.length === batch.count && own.every(({ n, stored_at }, i) => n === i && stored_at === batch.stored_at);
      const isBound =
        rootOf(own.map((row) => rowLeaf(batch.kind, row))).equals(batch.root) &&
        rootOf(own.map((row) => addedLeaf(batch.kind, row))).equals(batch.added_root);
      if (!isWhole || !isBound) wrong.push(`${kind} ${batch.id}`);
    }
    wrong.push(...[...byBatch.keys()].map((id) => `${kind} ${id} without a batch`));
  }
  return wrong;
};
