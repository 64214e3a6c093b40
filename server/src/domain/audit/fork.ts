import { parseCheckpoint } from '@farlink/gateway/protocol/checkpoint.ts';
import { fail } from '../../kit/fail.ts';
import { outsideHash } from './check-outside.ts';
import { appendLeaves, type Log, lockLog } from './log.ts';
import type { Query } from './transaction.ts';

/** Records the fork with its reason as a leaf of the log; sealing continues. The leaf names the size that was lost. */
export const recordFork = async (query: Query, secretKey: Buffer, reason: string, now: number): Promise<Log> => {
  const log = await lockLog(query, secretKey, now);
  if (log.stopped === null) throw fail('audit_not_stopped');
  const outside = log.outside ?? '';
  const forked = await appendLeaves(query, secretKey, log, now, [
    {
      ...({ type: 'fork', kind: null, from_at: now, batches: 0, rows: parseCheckpoint(outside)?.size ?? 0 } as const),
      root: outsideHash(outside),
      note: `${reason}\n\n${outside}`,
      create_at: now,
    },
  ]);
  await query('update audit_log set stopped = null, stopped_at = null, outside = null');
  return { ...forked, stopped: null, stopped_at: null, outside: null };
};
