import { sql } from 'kysely';
import type { Deps } from '../../../kit/deps.ts';
import type { JobKinds } from '../../../kit/jobs/job.ts';
import { newSealedKey, type OrderRow, runOrder } from './issue.ts';

const hour = 3600;
const day = 86_400;
/** Wait after one, two, three and more failures in a row. */
const backOffS = [0, hour, 4 * hour, 12 * hour, day] as const;
const maxPerDay = 3;
/** Let's Encrypt accepts 300 orders of an account in three hours. */
const maxPerThreeHours = 200;
const leaseS = 120;
const retryS = 60;
const keepDays = 60;
const atATime = 4;

interface DueRow {
  readonly id: number;
  readonly domain: string;
  readonly failures: number;
  readonly last_at: number | null;
}

/** Domains without a certificate, or with one that has less than a third of its life left. */
const dueDomains = async ({ db }: Deps, now: number): Promise<DueRow[]> => {
  const { rows } = await sql<DueRow>`
    select d.id, d.domain, o.last_at,
      (select count(*)::int from acme_order f where f.domain_id = d.id and f.domain = d.domain and f.state = 'failed'
        and f.create_at > coalesce((select max(g.create_at) from acme_order g where g.domain_id = d.id and g.state = 'done'), 0)) as failures
    from domain d,
      lateral (select max(create_at) as last_at, count(*) filter (where create_at > ${now - day}) as today
        from acme_order where domain_id = d.id) o
    where d.cert_source = 'acme' and d.https and d.status = 1 and d.domain is not null
      and d.proven_at is not null and d.proof_failed_at is null and o.today < ${maxPerDay}
      and (d.cert is null or ${now} >= d.cert_begin_at + (d.cert_expire_at - d.cert_begin_at) * 2 / 3)
      and not exists (select from acme_order p where p.domain_id = d.id and p.state in ('new', 'validating', 'finalizing'))
    order by d.cert_expire_at nulls first, d.id limit 100`.execute(db);
  return rows;
};

const mayRetry = ({ failures, last_at }: DueRow, now: number) =>
  (last_at ?? 0) + (backOffS[Math.min(failures, backOffS.length - 1)] ?? day) <= now;

/** Creates the orders that are due, within the limits of the authority. */
export const createOrders = async (deps: Deps): Promise<void> => {
  const { db, clock, config } = deps;
  const now = clock.now();
  const { count } = await db
    .selectFrom('acme_order')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('create_at', '>', now - 3 * hour)
    .executeTakeFirstOrThrow();
  const due = (await dueDomains(deps, now)).filter((row) => mayRetry(row, now)).slice(0, Math.max(0, maxPerThreeHours - count));
  for (const { id, domain } of due)
    await db
      .insertInto('acme_order')
      .values({ domain_id: id, domain, key: newSealedKey(config.secretKey), create_at: now, update_at: now })
      // Another worker may have placed the order meanwhile.
      .onConflict((oc) => oc.column('domain_id').where('state', 'in', ['new', 'validating', 'finalizing']).doNothing())
      .execute();
};

/** Open orders that no other worker has. */
const leaseOrders = async ({ db, clock }: Deps): Promise<OrderRow[]> => {
  const now = clock.now();
  const { rows } = await sql<OrderRow>`
    update acme_order set lease_until = ${now + leaseS} where id in (
      select id from acme_order where state in ('new', 'validating', 'finalizing') and lease_until <= ${now}
      order by id limit ${atATime} for update skip locked)
    returning *`.execute(db);
  return rows;
};

export const issueCertificates = async (deps: Deps, signal?: AbortSignal): Promise<void> => {
  if (!deps.config.acme) return;
  await createOrders(deps);
  for (let orders = await leaseOrders(deps); orders.length > 0 && !signal?.aborted; orders = await leaseOrders(deps))
    await Promise.all(
      orders.map(async (order) => {
        await runOrder(deps, order, signal);
        // An order that is still open waits a moment before the next attempt.
        await deps.db
          .updateTable('acme_order')
          .set({ lease_until: deps.clock.now() + retryS })
          .where('id', '=', order.id)
          .execute();
      }),
    );
  await deps.db
    .deleteFrom('acme_order')
    .where('state', 'in', ['done', 'failed'])
    .where('create_at', '<', deps.clock.now() - keepDays * day)
    .execute();
};

export const acmeJobs: JobKinds = {
  issue_certificates: {
    run: ({ deps, signal }) => issueCertificates(deps, signal),
    everyS: 60,
    isDue: ({ config }) => sql.lit(config.acme !== undefined),
    retentionS: 3600,
  },
};
