import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';

/** The move of a VNO takes the same lock (move_bill_months). */
const lock = 728_465_031;
/** Changes per transaction. */
const batchSize = 10_000;
/** Retention of completed jobs. */
const retentionS = 3600;

/** Adds changes of `bill_month` to the sums of the VNO and of all VNOs above it. Returns how many. */
export const addToBranches = async (db: Db): Promise<number> => {
  // A separate statement, so that the next one sees the path after a move.
  await sql`select pg_advisory_xact_lock(${lock})`.execute(db);
  const { rows } = await sql<{ taken: number }>`
    with taken as (
      delete from bill_month_change where id in (select id from bill_month_change order by id limit ${batchSize}) returning *
    ), added as (
      insert into bill_branch_month as m (list, agent_id, month, income, expend, discount, net_income)
      select t.list, branch, t.month, sum(t.income), sum(t.expend), sum(t.discount), sum(t.net_income)
      from taken t join agent a on a.id = t.agent_id, unnest(branches_of(a.path)) branch group by 1, 2, 3 order by 1, 2, 3
      on conflict (list, agent_id, month) do update set income = m.income + excluded.income, expend = m.expend + excluded.expend,
        discount = m.discount + excluded.discount, net_income = m.net_income + excluded.net_income
    ) select count(*)::int as taken from taken`.execute(db);
  return rows[0]?.taken ?? 0;
};

const run = async ({ deps: { db }, signal }: JobRun) => {
  let added = batchSize;
  while (added === batchSize && !signal.aborted) added = await db.transaction().execute(addToBranches);
};

const isDue = () => sql<boolean>`exists (select from bill_month_change)`;

export const billJobs: JobKinds = { sum_bill_branches: { run, everyS: 60, isDue, retentionS } };
