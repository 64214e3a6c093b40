import { newSigningKey, privateKeyOf, signCheckpoint } from '@farlink/gateway/protocol/checkpoint.ts';
import { emptyRoot, leafHash } from '@farlink/gateway/protocol/merkle.ts';
import { open, seal } from '../../kit/session/secret.ts';
import { canonical } from './canonical.ts';
import type { AuditKind } from './kinds.ts';
import { logRoot, type NodeId, nodeName, nodesOfAppend, type ReadNodes } from './log-tree.ts';
import type { Query } from './transaction.ts';

export type LeafType = 'key' | 'seal' | 'drop' | 'fork';

/** Content of a log leaf. */
export interface LeafFacts {
  readonly type: LeafType;
  readonly kind: AuditKind | null;
  readonly from_at: number;
  readonly batches: number;
  readonly rows: number;
  readonly root: Buffer;
  readonly note: string | null;
  readonly create_at: number;
}

export interface LogLeaf extends LeafFacts {
  readonly index: number;
}

/** Hash of a log leaf. It includes the index. */
export const logLeafHash = (leaf: LogLeaf): Buffer =>
  leafHash(
    canonical('leaf', [...[leaf.index, leaf.type, leaf.kind, leaf.from_at, leaf.batches, leaf.rows, leaf.root, leaf.note, leaf.create_at]]),
  );

export type StopReason = 'shorter' | 'inconsistent' | 'foreign' | 'unreadable';

/** State of the log. */
export interface Log {
  readonly origin: string;
  readonly public_key: Buffer;
  readonly private_key: string;
  readonly size: number;
  readonly root: Buffer;
  readonly checkpoint: string;
  readonly signed_at: number;
  readonly run_at: number;
  readonly stopped: StopReason | null;
  readonly stopped_at: number | null;
  readonly outside: string | null;
  readonly anchored_at: number;
  readonly anchor_fault: string | null;
  readonly mailed_at: number;
  readonly verified_to: number;
  readonly again_from: number;
}

export const readLog = async (query: Query): Promise<Log | undefined> => (await query<Log>('select * from audit_log'))[0];

/** Reads stored hashes; leaves are level 0. */
export const readNodes =
  (query: Query): ReadNodes =>
  async (ids) => {
    const ofLevel = (isIncluded: (id: NodeId) => boolean) => ids.filter(isIncluded);
    const leaves = ofLevel(({ level }) => level === 0);
    const above = ofLevel(({ level }) => level > 0);
    const rows = await query<NodeId & { hash: Buffer }>(
      `select 0 as level, l.index, l.hash from audit_leaf l where l.index = any($1::bigint[])
       union all
       select n.level, n.index, n.hash from unnest($2::smallint[], $3::bigint[]) as u(level, index) join audit_node n using (level, index)`,
      [leaves.map(({ index }) => index), above.map(({ level }) => level), above.map(({ index }) => index)],
    );
    return new Map(rows.map((row) => [nodeName(row), row.hash]));
  };

/** Locks the log for this transaction, so that one process appends at a time. Creates it, with its key, at the first call. */
export const lockLog = async (query: Query, secretKey: Buffer, now: number): Promise<Log> => {
  const lock = async () => (await query<Log>('select * from audit_log for update'))[0];
  const found = await lock();
  if (found) return found;
  const { origin, publicKey, pem } = newSigningKey();
  const created = await query(
    `insert into audit_log (origin, public_key, private_key, root, signed_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning origin`,
    [origin, publicKey, seal(secretKey, pem), emptyRoot, now],
  );
  const log = await lock();
  if (!log) throw new Error('the audit log has no state');
  if (created.length === 0) return log;
  return appendLeaves(query, secretKey, log, now, [
    { type: 'key', kind: null, from_at: now, batches: 0, rows: 0, root: publicKey, note: origin, create_at: now },
  ]);
};

const insertLeaves = `
  insert into audit_leaf (index, type, kind, from_at, batches, rows, root, note, create_at, hash)
  select u.index, u.type, u.kind, u.from_at, u.batches, u.rows, decode(u.root, 'hex'), u.note, u.create_at, decode(u.hash, 'hex')
  from json_to_recordset($1::json) as u(index bigint, type text, kind text, from_at bigint, batches bigint, rows bigint, root text, note text,
    create_at bigint, hash text)`;

/**
 * Appends leaves and signs the new checkpoint, in the caller's transaction. The size is compared, and the index of a leaf is unique: a
 * process that appends to an older state writes nothing.
 */
export const appendLeaves = async (query: Query, secretKey: Buffer, log: Log, now: number, facts: readonly LeafFacts[]): Promise<Log> => {
  if (facts.length === 0) return log;
  const leaves = facts.map((fact, i) => ({ ...fact, index: log.size + i }));
  const hashes = leaves.map(logLeafHash);
  const read = readNodes(query);
  const nodes = await nodesOfAppend(log.size, hashes, read);
  const above = nodes.filter(({ level }) => level > 0);
  const hex = leaves.map((leaf, i) => ({ ...leaf, root: leaf.root.toString('hex'), hash: hashes[i]?.toString('hex') }));
  await query(insertLeaves, [JSON.stringify(hex)]);
  await query('insert into audit_node (level, index, hash) select * from unnest($1::smallint[], $2::bigint[], $3::bytea[])', [
    ...[above.map(({ level }) => level), above.map(({ index }) => index), above.map(({ hash }) => hash)],
  ]);
  const size = log.size + leaves.length;
  const root = await logRoot(size, read);
  const key = { publicKey: log.public_key, privateKey: privateKeyOf(open(secretKey, log.private_key)) };
  const checkpoint = signCheckpoint({ origin: log.origin, size, root }, key);
  const updated = await query<Log>(
    'update audit_log set size = $1, root = $2, checkpoint = $3, signed_at = $4 where size = $5 returning *',
    [size, root, checkpoint, now, log.size],
  );
  if (!updated[0]) throw new Error('the audit log was appended by another process');
  return updated[0];
};
