import { rootOf } from '@farlink/gateway/protocol/merkle.ts';
import { beginLimited } from '../../db/lock.ts';
import type { Deps } from '../../kit/deps.ts';
import { type AuditKind, auditKinds } from './kinds.ts';
import { type BatchFacts, batchLeaf } from './leaves.ts';
import { appendLeaves, type Log, lockLog } from './log.ts';
import { inTransaction, type Query } from './transaction.ts';

export const minuteS = 60;
export const minuteOf = (at: number): number => Math.floor(at / minuteS) * minuteS;

/** Batches per transaction. A minute with more gets several seals. */
const batchSize = 20_000;

export const batchColumns = 'id, kind, device_id, agent_id, boot, seq, count, stored_at, root, added_root';

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** Order of batches below a seal: the numbering of the gateways. */
export const inSealOrder = <B extends BatchFacts>(batches: readonly B[]): B[] =>
  batches.toSorted((a, b) => compare(a.device_id, b.device_id) || compare(a.boot, b.boot) || compare(a.seq, b.seq) || compare(a.id, b.id));

export interface SealGroup {
  readonly kind: AuditKind;
  readonly minute: number;
  readonly batches: readonly BatchFacts[];
}

/** One group per kind and minute of storing, in the order of the log. */
export const sealGroups = (batches: readonly BatchFacts[]): SealGroup[] => {
  const groups = [...Map.groupBy(batches, ({ kind, stored_at }) => `${minuteOf(stored_at)} ${kind}`).values()];
  return groups
    .flatMap((some) => (some[0] ? [{ kind: some[0].kind, minute: minuteOf(some[0].stored_at), batches: inSealOrder(some) }] : []))
    .toSorted((a, b) => compare(a.minute, b.minute) || compare(auditKinds.indexOf(a.kind), auditKinds.indexOf(b.kind)));
};

export const sealFacts = ({ kind, minute, batches }: SealGroup, now: number) => ({
  type: 'seal' as const,
  kind,
  from_at: minute,
  batches: batches.length,
  rows: batches.reduce((sum, { count }) => sum + count, 0),
  root: rootOf(batches.map(batchLeaf)),
  note: null,
  create_at: now,
});

export interface Sealed {
  readonly log: Log;
  /** Batches that were sealed. */
  readonly batches: number;
}

/**
 * Seals the visible batches of completed minutes. Storing takes no part in it: a batch that commits later is sealed by a later run, as
 * another seal of its minute.
 */
export const sealBatches = async (query: Query, secretKey: Buffer, now: number): Promise<Sealed> => {
  const log = await lockLog(query, secretKey, now);
  await query('update audit_log set run_at = $1', [now]);
  if (log.stopped !== null) return { log, batches: 0 };
  const batches = await query<BatchFacts>(
    `select ${batchColumns} from audit_batch where seal is null and stored_at < $1 order by stored_at limit ${batchSize}`,
    [minuteOf(now)],
  );
  const groups = sealGroups(batches);
  const sealed = await appendLeaves(
    query,
    secretKey,
    log,
    now,
    groups.map((group) => sealFacts(group, now)),
  );
  const seals = groups.flatMap((group, i) => group.batches.map(({ id }) => ({ id, seal: log.size + i })));
  const marked = await query(
    `update audit_batch b set seal = u.seal from unnest($1::uuid[], $2::bigint[]) as u(id, seal)
     where b.id = u.id and b.seal is null returning b.id`,
    [seals.map(({ id }) => id), seals.map(({ seal }) => seal)],
  );
  if (marked.length !== batches.length) throw new Error('batches changed while they were sealed');
  return { log: sealed, batches: batches.length };
};

/** Seals all completed minutes. Returns the log after it. */
export const sealAll = async ({ pool, config, clock }: Pick<Deps, 'pool' | 'config' | 'clock'>, signal?: AbortSignal): Promise<Log> => {
  for (;;) {
    signal?.throwIfAborted();
    const { log, batches } = await inTransaction(pool, beginLimited, (query) => sealBatches(query, config.secretKey, clock.now()));
    if (batches < batchSize) return log;
  }
};
