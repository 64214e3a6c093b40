import { fileTaskIds } from '@farlink/contract/file/choices.ts';
import type { PortalReason } from '@farlink/contract/market/portal-reasons.ts';
import { sql } from 'kysely';
import { lockGroup, locks } from '../../db/lock.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { Refusal } from '../../kit/fail.ts';
import { enqueue, type JobKinds } from '../../kit/jobs/job.ts';
import { beginTask, incompatibilityOf, lockReceiver, type SendablePortal } from './send-portal.ts';

const retentionS = 3600;

/** Part of the caller's transaction: the job also runs at that time, even after a crash. */
export const orderPortalDispatch = (db: Db, now: number, sendAt: number) =>
  enqueue(db, now, { kind: 'portal_dispatch', key: `portal_task:${sendAt}:${now}`, runAt: sendAt });

/** Sends to devices that were deleted, have a new owner, or have firmware that is too old. */
const orphaned = sql`portal_task own left join device d on d.id = own.device_id
  where not own.ended and (own.device_id is null or d.agent_id <> own.agent_id
    or (own.section_rev is not null and d.online_state = 1 and not 'portal' = any(d.caps)))`;

/** Timed sends and retries. */
const due = (now: number) => sql`portal_task where not ended and section_rev is null and send_at <= ${now} and device_id is not null`;

const endOrphaned = (db: Db, now: number) =>
  sql`
    update portal_task t set status = ${fileTaskIds.aborted}, ended = true, update_at = ${now},
      err = case when t.device_id is null then 'device_gone' when d.agent_id <> t.agent_id then 'device_moved' else 'unsupported' end
    from ${orphaned} and own.id = t.id and not t.ended`.execute(db);

const endWith = (db: Db, id: number, err: string, now: number) =>
  db.updateTable('portal_task').set({ status: fileTaskIds.aborted, ended: true, err, update_at: now }).where('id', '=', id).execute();

const portalOf = (db: Db, id: number): Promise<SendablePortal | undefined> =>
  db
    .selectFrom('portal')
    .innerJoin('agent', 'agent.id', 'portal.agent_id')
    .select(['portal.id', 'portal.name', 'portal.rev', 'portal.billing_type', 'agent.path'])
    .where('portal.id', '=', id)
    .executeTakeFirst();

const reasons = {
  portal_elsewhere: 'portal_elsewhere',
  billing_mismatch: 'billing_mismatch',
  gateway_too_old: 'unsupported',
} as const satisfies Record<string, PortalReason>;

/** Sends the current revision of the portal, not the one at the time of the request. */
const begin = async (deps: Pick<Deps, 'db' | 'config'>, { id, portal_id, device_id }: DueTask, now: number) => {
  const portal = portal_id === null ? undefined : await portalOf(deps.db, portal_id);
  const device = await lockReceiver(deps.db, device_id);
  if (!portal || !device) return endWith(deps.db, id, (portal ? 'device_gone' : 'portal_gone') satisfies PortalReason, now);
  const incompatibility = incompatibilityOf(portal, device);
  if (incompatibility) return endWith(deps.db, id, reasons[incompatibility], now);
  try {
    await beginTask(deps, id, portal, device, now);
  } catch (error) {
    // Too large, or an image is missing: the operator sees the reason.
    if (!(error instanceof Refusal)) throw error;
    await endWith(deps.db, id, error.text[1], now);
  }
};

interface DueTask {
  readonly id: number;
  readonly portal_id: number | null;
  readonly device_id: number;
}

/** Starts timed sends and retries that are due. One transaction under an exclusive lock, safe at any time. */
export const dispatchPortals = (deps: Deps): Promise<number> =>
  deps.db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${lockGroup}, ${locks.portalDispatch})`.execute(db);
    const now = deps.clock.now();
    await endOrphaned(db, now);
    const { rows } = await sql<DueTask>`select id, portal_id, device_id from ${due(now)} order by send_at, id limit 500`.execute(db);
    for (const task of rows) await begin({ ...deps, db }, task, now);
    return rows.length;
  });

export const portalTaskJobs: JobKinds = {
  portal_dispatch: {
    run: async ({ deps }) => {
      await dispatchPortals(deps);
    },
    everyS: 30,
    isDue: ({ clock }) => sql`(exists (select from ${orphaned}) or exists (select from ${due(clock.now())}))`,
    retentionS,
  },
};
