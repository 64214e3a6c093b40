import { type Selectable, sql } from 'kysely';
import type { DomainTable } from '../../db/tables.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import type { JobKinds } from '../../kit/jobs/job.ts';
import { proofName, proofToken, readTxt, type TxtAnswer } from './proof.ts';

type DomainRow = Selectable<DomainTable>;
export type ProofError = DomainRow['proof_error'];

const day = 86_400;
/** A domain is disabled a week after its TXT record is missing or wrong. A resolver failure proves nothing, so it gets a month. */
const endDays = { missing: 7, wrong: 7, resolver: 30 } as const;

/** The settings of a row without a domain. */
export const released = {
  domain: null,
  https: false,
  cert_name: null,
  cert: null,
  cert_key: null,
  cert_sha256: null,
  cert_begin_at: null,
  cert_expire_at: null,
  cert_error: null,
  https_at: null,
  proven_at: null,
  proof_failed_at: null,
} as const;

const change = (db: Db, row: DomainRow, values: Partial<DomainRow>) =>
  db.updateTable('domain').set(values).where('id', '=', row.id).execute();

/** All claims of a name, locked in one order. */
const lockClaims = (db: Db, domain: string) =>
  db.selectFrom('domain').selectAll().where('domain', '=', domain).orderBy('id').forUpdate().execute();

interface Proof {
  readonly db: Db;
  readonly secretKey: Buffer;
  readonly now: number;
}

/** Accepts a proven claim. A VNO with an earlier valid proof keeps the name; otherwise all other claims end. */
const accept = async ({ db, secretKey, now }: Proof, row: DomainRow, others: readonly DomainRow[], values: readonly string[]) => {
  const holder = others.find((other) => other.proven_at !== null);
  if (holder && values.includes(proofToken(secretKey, holder.agent_id, holder.domain ?? ''))) {
    await change(db, row, { checked_at: now, proof_error: 'taken' });
    return 'taken';
  }
  for (const other of others)
    await change(db, other, {
      ...released,
      proof_error: other.proven_at === null ? 'taken' : 'lost',
      checked_at: now,
      update_at: now,
      version: other.version + 1,
    });
  await change(db, row, { checked_at: now, proof_failed_at: null, proof_error: null, ...(row.proven_at === null && { proven_at: now }) });
  return null;
};

const reject = async ({ db, now }: Proof, row: DomainRow, error: keyof typeof endDays): Promise<ProofError> => {
  if (row.proven_at === null) {
    await change(db, row, { checked_at: now, proof_error: error });
    return error;
  }
  const failedAt = row.proof_failed_at ?? now;
  const isOver = now - failedAt >= endDays[error] * day;
  await change(db, row, {
    checked_at: now,
    proof_error: isOver ? 'lost' : error,
    proof_failed_at: isOver ? null : failedAt,
    ...(isOver && { proven_at: null, https_at: null }),
  });
  return isOver ? 'lost' : error;
};

/** Stores the result of a lookup. Undefined: the row has another domain now. */
export const storeProof = async (
  proof: Proof,
  id: number,
  domain: string,
  reply: TxtAnswer,
): Promise<{ readonly error: ProofError } | undefined> => {
  const claims = await lockClaims(proof.db, domain);
  const row = claims.find((claim) => claim.id === id);
  if (!row) return undefined;
  if ('error' in reply) return { error: await reject(proof, row, reply.error) };
  const isFound = reply.values.includes(proofToken(proof.secretKey, row.agent_id, domain));
  const others = claims.filter((claim) => claim.id !== id);
  return { error: isFound ? await accept(proof, row, others, reply.values) : await reject(proof, row, 'wrong') };
};

const perRound = 200;
const atATime = 10;

/** Rows whose proof is due: daily, hourly after a failure, and every few minutes for a new claim. */
const dueRows = ({ db }: Deps, now: number) =>
  db
    .selectFrom('domain')
    .select(['id', 'domain'])
    .where('domain', 'is not', null)
    // Names of the demo data below localhost mean this machine only. No DNS server answers for them.
    .where('domain', 'not like', '%.localhost')
    .where((eb) =>
      eb.or([
        eb('checked_at', 'is', null),
        eb('checked_at', '<=', now - day),
        eb.and([eb('proven_at', 'is not', null), eb('proof_failed_at', 'is not', null), eb('checked_at', '<=', now - 3600)]),
        eb.and([eb('proven_at', 'is', null), eb('update_at', '>', now - 3 * day), eb('checked_at', '<=', now - 300)]),
      ]),
    )
    .orderBy('checked_at', (order) => order.asc().nullsFirst())
    .limit(perRound);

export const checkProofs = async (deps: Deps, signal?: AbortSignal) => {
  const { db, config, clock, log } = deps;
  const rows = await dueRows(deps, clock.now()).execute();
  const check = async (id: number, domain: string) => {
    const reply = await readTxt(config, proofName(domain));
    const proof = { secretKey: config.secretKey, now: clock.now() };
    const found = await db.transaction().execute((inside) => storeProof({ ...proof, db: inside }, id, domain, reply));
    if (found?.error === 'lost') log.warn({ domain }, 'domain disabled: proof missing');
  };
  const worker = async () => {
    for (let row = rows.shift(); row && !signal?.aborted; row = rows.shift()) if (row.domain !== null) await check(row.id, row.domain);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
};

export const proofJobs: JobKinds = {
  check_domains: {
    run: ({ deps, signal }) => checkProofs(deps, signal),
    everyS: 300,
    isDue: (deps) => sql<boolean>`exists (${dueRows(deps, deps.clock.now())})`,
    retentionS: 3600,
  },
};
