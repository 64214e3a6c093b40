import { hash } from 'node:crypto';
import { openCheckpoint, parseCheckpoint } from '@farlink/gateway/protocol/checkpoint.ts';
import { type Log, readNodes, type StopReason } from './log.ts';
import { logRoot, MissingNode } from './log-tree.ts';
import type { Query } from './transaction.ts';

export const outsideHash = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * An operator has recorded the fork from this checkpoint, or from a later one of the same lost branch: the log was restored to the index
 * of the fork leaf, and `rows` is the size that was lost.
 */
const isRecorded = async (query: Query, text: string, size: number | undefined): Promise<boolean> =>
  (
    await query("select from audit_leaf where type = 'fork' and kind is null and (root = $1 or (index < $2 and rows >= $2)) limit 1", [
      outsideHash(text),
      size ?? null,
    ])
  ).length > 0;

const compare = async (query: Query, log: Log, text: string): Promise<StopReason | undefined> => {
  if (!parseCheckpoint(text)) return 'unreadable';
  const checkpoint = openCheckpoint(text, log.public_key);
  if (!checkpoint) return 'foreign';
  if (checkpoint.size > log.size) return 'shorter';
  const root = await logRoot(checkpoint.size, readNodes(query)).catch((error: unknown) => {
    if (error instanceof MissingNode) return undefined;
    throw error;
  });
  return root?.equals(checkpoint.root) ? undefined : 'inconsistent';
};

/** Reason why the log does not continue the checkpoint kept outside. Undefined: it continues, or the fork is recorded. */
export const contradiction = async (query: Query, log: Log, text: string): Promise<StopReason | undefined> => {
  const reason = await compare(query, log, text);
  if (reason === undefined) return undefined;
  return (await isRecorded(query, text, openCheckpoint(text, log.public_key)?.size)) ? undefined : reason;
};
