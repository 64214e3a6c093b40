import type { Pool } from 'pg';
import { weekS } from '../../db/partitions.ts';
import { type AuditKind, auditSpecs } from './kinds.ts';
import { readLog } from './log.ts';
import { hex, type ProofRow, poolQuery, type RowRef, rowProofs, sealProofs } from './proofs.ts';
import type { Query } from './transaction.ts';

/** A hold `h` covers a row: of its subscriber, or of all data of its VNO, at the time of the row. */
const coversSql = (row: string) => `h.from_at <= ${row}.at and coalesce(h.to_at, ${row}.at) >= ${row}.at
  and case when h.subject is null then h.agent_id = ${row}.agent_id else h.subject = 's:' || ${row}.subscriber_id end`;

/** Batches that are copied together. */
const batchSize = 100;

type HeldRef = RowRef;

const insertSql = `
  insert into audit_held_row (kind, week, batch, n, device_id, agent_id, subscriber_id, at, content, proof, create_at)
  select $1, $2, u.batch, u.n, u.device_id, u.agent_id, u.subscriber_id, u.at, u.content, u.proof, $4
  from json_to_recordset($3::json)
    as u(batch uuid, n integer, device_id bigint, agent_id bigint, subscriber_id bigint, at bigint, content jsonb, proof jsonb)
  on conflict do nothing`;

/** Columns of a row as JSON; bytes in hex. */
const contentOf = (row: ProofRow): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Buffer.isBuffer(value) ? hex(value) : value]));

/** Copies the held rows of one batch with their proofs. The log itself is never dropped. */
const copyBatch = async (
  query: Query,
  proofs: ReturnType<typeof sealProofs>,
  secretKey: Buffer,
  kind: AuditKind,
  refs: readonly HeldRef[],
) => {
  const [first] = refs;
  if (!first) return [];
  const batch = await proofs.batchProof(first.batch);
  const rows = await rowProofs(query, kind, first, new Set(refs.map(({ n }) => n)), secretKey);
  return rows.map(({ row, proof }) => ({
    batch: first.batch,
    n: row.n,
    device_id: row.device_id,
    agent_id: row.agent_id,
    subscriber_id: row.subscriber_id,
    at: row.at,
    content: contentOf(row),
    proof: { row: proof, batch },
  }));
};

/** Copies the rows of a week that are under a hold. Repeated calls copy nothing twice. Returns the number of held rows. */
export const copyHeldRows = async (
  { pool, secretKey }: { readonly pool: Pool; readonly secretKey: Buffer },
  kind: AuditKind,
  week: number,
  now: number,
  signal?: AbortSignal,
): Promise<number> => {
  const query = poolQuery(pool);
  const log = await readLog(query);
  if (!log) return 0;
  const refs = await query<HeldRef>(
    `with hold as materialized (select * from audit_hold where released_at is null)
     select distinct r.batch, r.n, r.stored_at from ${auditSpecs[kind].table} r join hold h on ${coversSql('r')}
     where r.stored_at >= $1 and r.stored_at < $2 order by r.batch, r.n`,
    [week, week + weekS],
  );
  const proofs = sealProofs(query, log);
  const batches = [...Map.groupBy(refs, ({ batch }) => batch).values()];
  for (let at = 0; at < batches.length; at += batchSize) {
    signal?.throwIfAborted();
    const copies = [];
    for (const some of batches.slice(at, at + batchSize)) copies.push(...(await copyBatch(query, proofs, secretKey, kind, some)));
    await query(insertSql, [kind, week, JSON.stringify(copies), now]);
  }
  return refs.length;
};

/** Deletes copies that no hold covers any more. */
export const removeReleased = async (pool: Pool) => {
  await pool.query(`delete from audit_held_row r
    where not exists (select from audit_hold h where h.released_at is null and ${coversSql('r')})`);
};
