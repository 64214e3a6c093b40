import { sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import { enqueue, type JobRun } from '../../kit/jobs/job.ts';
import { refreshPackages } from '../metering/store/refresh-packages.ts';

/** Accounts per step. */
const batchSize = 2000;

/** Changed object whose subscribers must be rechecked. */
interface Changed {
  readonly package_id?: number;
  readonly policy_id?: number;
  readonly config_id?: number;
}

export const recheckKind = 'package_recheck';

/** A changed package or credit control changes the status of all its holders. This runs in the background, because they may be many. */
export const recheckLater = ({ db, now, me }: Pick<Ctx, 'db' | 'now' | 'me'>, changed: Changed) =>
  enqueue(db, now(), { kind: recheckKind, payload: { ...changed }, agentId: me.agent_id });

const idsAfter = async (db: Db, payload: unknown, after: number): Promise<number[]> => {
  const { package_id = 0, policy_id = 0, config_id = 0 }: Changed = Object(payload);
  const { rows } = await sql<{ id: number }>`
    select s.id from subscriber s where s.id > ${after} and (
      s.policy_id = ${policy_id} or s.config_id = ${config_id}
      or s.config_id in (select id from open_config where policy_id = ${policy_id})
      or exists (select from holding h join package p on p.id = h.package_id
        where h.subscriber_id = s.id and (p.id = ${package_id} or p.policy_id = ${policy_id})))
    order by s.id limit ${batchSize}`.execute(db);
  return rows.map(({ id }) => id);
};

/** Processes subscribers in chunks, locked in the common order. A restart after a crash gives the same result. */
export const recheck = async ({ deps, job, signal }: JobRun) => {
  let ids: number[] = [];
  do {
    signal.throwIfAborted();
    ids = await idsAfter(deps.db, job.payload, ids.at(-1) ?? 0);
    await deps.db.transaction().execute(async (db) => {
      await db
        .selectFrom('subscriber')
        .select('id')
        .where('id', 'in', [...ids, 0])
        .orderBy('id')
        .forUpdate()
        .execute();
      await refreshPackages(db, ids, deps.clock.now());
      // Speeds and credit control change the entry on a gateway although no status changes.
      await sql`insert into account_change (subscriber_id) select unnest(${ids}::bigint[])`.execute(db);
    });
  } while (ids.length === batchSize);
};
