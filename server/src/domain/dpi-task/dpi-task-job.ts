import { limits } from '@farlink/contract/limits.ts';
import { dpiStatus } from '@farlink/contract/traffic/dpi-choices.ts';
import type { DpiReason } from '@farlink/contract/traffic/dpi-reasons.ts';
import { sql } from 'kysely';
import { lockGroup, locks } from '../../db/lock.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { enqueue, type JobKinds } from '../../kit/jobs/job.ts';
import { endTask, lockTask } from './order-task.ts';
import { refreshReportSection, startTask } from './start-task.ts';

/** Runs every 30 seconds, and at the time of an appointment. */
export const dpiTaskEvery = { dpi_dispatch: 30 };
const retentionS = 3600;
const tasksPerRun = 500;

/** Ends tasks of devices that were deleted or have a new owner. */
const endOrphaned = async (db: Db, now: number) => {
  const { rows } = await sql<{ id: number; is_deleted: boolean }>`
    select t.id, t.device_id is null as is_deleted from dpi_task t left join device d on d.id = t.device_id
    where not t.ended and t.status <> ${dpiStatus.ids.uploaded} and (t.device_id is null or d.agent_id <> t.agent_id) order by t.id limit ${tasksPerRun}`.execute(
    db,
  );
  for (const { id, is_deleted } of rows) {
    const task = await lockTask(db, id);
    const err: DpiReason = is_deleted ? 'device_gone' : 'device_moved';
    if (task && !task.ended) await endTask(db, task, err, now);
  }
};

/** Queues imports again that failed or lost their job. */
const repeatImports = async (db: Db, now: number) => {
  const due = await db
    .updateTable('dpi_task')
    // The import sets the next time itself if it fails.
    .set({ next_at: now + 3600 })
    .where('ended', '=', false)
    .where('command_id', 'is', null)
    .where('status', '=', dpiStatus.ids.uploaded)
    .where('next_at', '<=', now)
    .returning(['id', 'agent_id'])
    .execute();
  for (const { id, agent_id } of due) await enqueue(db, now, { kind: 'dpi_import', payload: { id }, agentId: agent_id });
};

/** The file is complete before the gateway reports it; this time allows for a slow commit. */
const uploadWaitS = 600;

/** Retries uploads that the gateway reported and the file exchange did not receive. Fails after the last try. */
const refuseMissing = async (db: Db, now: number) => {
  const { issued, executing, upload_failed } = dpiStatus.ids;
  const reason: DpiReason = 'not_received';
  await sql`update dpi_task t set err = ${reason}, said_sha256 = null, command_id = null, progress = 0, update_at = ${now}::bigint,
      status = case when t.tries < ${limits.fileTries} then ${sql.lit(issued)} else ${sql.lit(upload_failed)} end, ended = t.tries >= ${limits.fileTries},
      next_at = ${now}::bigint + 60 * 4 ^ greatest(t.tries - 1, 0)
    where not t.ended and t.said_sha256 is not null and t.file_sha256 is null and t.update_at <= ${now - uploadWaitS}::bigint
      and t.status in (${sql.lit(issued)}, ${sql.lit(executing)})`.execute(db);
};

/** Removes tasks that reached their limit from the sections of their devices. */
const dropEnded = async (db: Db, now: number) => {
  const ended = await db
    .selectFrom('dpi_task')
    .select(['id', 'device_id'])
    .where('ended', '=', true)
    .where('section_rev', 'is not', null)
    .orderBy('device_id')
    .limit(tasksPerRun)
    .execute();
  for (const { id, device_id } of ended) {
    if (device_id !== null) {
      await lockTask(db, id);
      await refreshReportSection(db, device_id, now);
    }
    await db.updateTable('dpi_task').set({ section_rev: null }).where('id', '=', id).execute();
  }
};

/** Starts appointments and retries that are due. One transaction under an exclusive lock, safe at any time. */
export const dispatchTasks = (deps: Deps): Promise<number> =>
  deps.db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${lockGroup}, ${locks.dpiDispatch})`.execute(db);
    const now = deps.clock.now();
    await endOrphaned(db, now);
    await dropEnded(db, now);
    await repeatImports(db, now);
    await refuseMissing(db, now);
    const due = await db
      .selectFrom('dpi_task')
      .select('id')
      .where('ended', '=', false)
      .where('command_id', 'is', null)
      .where('section_rev', 'is', null)
      .where('status', '=', dpiStatus.ids.issued)
      .where('next_at', '<=', now)
      .where('device_id', 'is not', null)
      .orderBy('next_at')
      .orderBy('id')
      .limit(tasksPerRun)
      .execute();
    for (const { id } of due) {
      const task = await lockTask(db, id);
      if (task && !task.ended && task.command_id === null && task.status === dpiStatus.ids.issued)
        await startTask({ db, config: deps.config }, task, now);
    }
    return due.length;
  });

export const dpiTaskJobs: JobKinds = {
  dpi_dispatch: {
    run: async ({ deps }) => {
      await dispatchTasks(deps);
    },
    retentionS,
  },
};
