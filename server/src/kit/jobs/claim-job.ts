import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import type { Job } from './job.ts';
import { leaseS } from './job-lease.ts';

/** Jobs of the system and of operators have workers of their own. */
export const sources = ['system', 'operator'] as const;

export type JobSource = (typeof sources)[number];

export interface Claim {
  readonly kinds: readonly string[];
  /** Only a queue without a running job. */
  readonly idleOnly: boolean;
  /** Number of the last turn of each queue in this process. */
  readonly turns: Map<string, number>;
  readonly now: number;
}

export interface OpenQueue {
  readonly source: JobSource;
  readonly queue: string;
  readonly running: number;
}

/** Waiting, or running with an expired lease. */
const dueSql = (kinds: readonly string[], now: number) =>
  sql<boolean>`state in ('waiting', 'running') and run_at <= ${now} and kind = any(${kinds}::text[]) and (state = 'waiting' or lease_until < ${now})`;

/** Queues with due jobs, of all sources. Each costs a few index reads, however many jobs it has. */
export const openQueues = async ({ db }: Deps, kinds: readonly string[], now: number): Promise<OpenQueue[]> => {
  const { rows } = await sql<OpenQueue>`
    with recursive open (source, queue) as (
      (select source, queue from job where state in ('waiting', 'running') order by source, queue limit 1)
      union all select next.* from open cross join lateral (
        select source, queue from job where state in ('waiting', 'running') and (source, queue) > (open.source, open.queue)
        order by source, queue limit 1) next)
    select open.source, open.queue,
      (select count(*)::int from job where source = open.source and queue = open.queue and state = 'running' and lease_until >= ${now}) as running
    from open cross join lateral (
      select run_at, id from job where source = open.source and queue = open.queue and ${dueSql(kinds, now)} order by run_at, id limit 1) head
    order by head.run_at, head.id`.execute(db);
  return rows;
};

/** Oldest due job of a queue, unless another process has it. */
const claimFrom = async ({ db }: Deps, kinds: readonly string[], { source, queue }: OpenQueue, now: number): Promise<Job | undefined> => {
  const row = await db
    .updateTable('job')
    .set({
      state: 'running',
      owner: sql`gen_random_uuid()`,
      lease_until: now + leaseS,
      attempts: sql`attempts + 1`,
      start_at: sql`coalesce(start_at, ${now}::bigint)`,
    })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('job')
        .select('id')
        .where('source', '=', source)
        .where('queue', '=', queue)
        .where(dueSql(kinds, now))
        .orderBy('run_at')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'kind', 'payload', 'attempts', 'owner', 'customer_id', 'agent_id', 'lang', 'rights'])
    .executeTakeFirst();
  return row?.owner ? { ...row, owner: row.owner } : undefined;
};

/** Claims the next due job: of the queue with the fewest running jobs in all processes, then of the one whose last turn is longest ago. */
export const claimJob = async (
  deps: Deps,
  { kinds, idleOnly, turns, now }: Claim,
  open: readonly OpenQueue[],
): Promise<Job | undefined> => {
  const turnOf = ({ queue }: OpenQueue) => turns.get(queue) ?? 0;
  const queues = open.filter(({ running }) => !idleOnly || running === 0);
  for (const queue of queues.sort((a, b) => a.running - b.running || turnOf(a) - turnOf(b))) {
    const job = await claimFrom(deps, kinds, queue, now);
    if (!job) continue;
    turns.set(queue.queue, Math.max(0, ...turns.values()) + 1);
    return job;
  }
  return undefined;
};
