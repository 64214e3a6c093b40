import { openCheckpoint } from '@farlink/gateway/protocol/checkpoint.ts';
import type { Pool } from 'pg';
import { contradiction } from './check-outside.ts';
import type { Finding, FindingType } from './findings.ts';
import { type Log, type LogLeaf, logLeafHash, readLog, type StopReason } from './log.ts';
import { runningRoot } from './log-tree.ts';
import { inTransaction, type Query, snapshot } from './transaction.ts';

const batchSize = 5000;
/** Each alteration of the log invalidates its root, so few need to be named. */
const maxNamed = 20;

const stopFindings: Readonly<Record<StopReason, FindingType>> = {
  shorter: 'log_restored',
  inconsistent: 'log_rewritten',
  foreign: 'key_replaced',
  unreadable: 'copy_damaged',
};

/** Reads all leaves in order: none is missing, each hash is that of its content, and the root is the signed one. */
const checkLeaves = async (query: Query, log: Log): Promise<Finding[]> => {
  const findings: Finding[] = [];
  const tree = runningRoot();
  const altered = (index: number) => {
    if (findings.length < maxNamed) findings.push({ type: 'log_altered', from_at: index });
  };
  let next = 0;
  for (;;) {
    const page = await query<LogLeaf & { hash: Buffer }>(`select * from audit_leaf where index >= $1 order by index limit ${batchSize}`, [
      next,
    ]);
    for (const { hash, ...leaf } of page) {
      for (; next < leaf.index; next++) altered(next);
      if (!logLeafHash(leaf).equals(hash)) altered(leaf.index);
      if (leaf.type === 'key' && !leaf.root.equals(log.public_key)) findings.push({ type: 'key_replaced' });
      tree.add(hash);
      next = leaf.index + 1;
    }
    if (page.length < batchSize) break;
  }
  if (next < log.size) return [...findings, { type: 'log_shorter', from_at: next, count: log.size - next }];
  if (findings.length === 0 && !(next === log.size && tree.root().equals(log.root)))
    findings.push({ type: 'log_altered', from_at: log.size });
  const signed = openCheckpoint(log.checkpoint, log.public_key);
  if (!signed || signed.size !== log.size || !signed.root.equals(log.root)) findings.push({ type: 'checkpoint_invalid' });
  return findings;
};

export interface LogResult {
  readonly size: number;
  readonly findings: readonly Finding[];
}

/** Verifies the whole log, its checkpoint, and the copies of checkpoints outside the database, which were read before. */
export const verifyLog = (pool: Pool, outside: readonly string[]): Promise<LogResult> =>
  inTransaction(pool, snapshot, async (query) => {
    const log = await readLog(query);
    if (!log) return { size: 0, findings: outside.length > 0 ? [{ type: 'log_restored' }] : [] };
    const findings = await checkLeaves(query, log);
    const types = new Set<FindingType>(log.stopped === null ? [] : [stopFindings[log.stopped]]);
    for (const text of outside) {
      const reason = await contradiction(query, log, text);
      if (reason) types.add(stopFindings[reason]);
    }
    return { size: log.size, findings: [...findings, ...[...types].map((type) => ({ type }))] };
  });
