import { limits } from '@farlink/contract/limits.ts';
import { dpiStatus } from '@farlink/contract/traffic/dpi-choices.ts';
import type { DpiReason } from '@farlink/contract/traffic/dpi-reasons.ts';
import { sql } from 'kysely';
import { lockGroup, locks } from '../../db/lock.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { enqueue, type JobKinds } from '../../kit/jobs/job.ts';
import { endTask, lockTask } from './order-task.ts';
import { refreshReportSection, startTask } from './start-task.ts';

const retentionS = 3600;
const tasksPerRun = 500;

/** Tasks of devices that were deleted or have a new owner. */
const orphaned = sql`dpi_task t left join device d on d.id = t.device_id
  where not t.ended and t.status <> ${sql.lit(dpiStatus.ids.uploaded)} and (t.device_id is null or d.agent_id <> t.agent_id)`;

const endOrphaned = async (db: Db, now: number) => {
  const { rows } = await sql<{ id: number; is_deleted: boolean }>`
    select t.id, t.device_id is null as is_deleted from ${orphaned} order by t.id limit ${tasksPerRun}`.execute(db);
  for (const { id, is_deleted } of rows) {
    const task = await lockTask(db, id);
    const err: DpiReason = is_deleted ? 'device_gone' : 'device_moved';
    if (task && !task.ended) await endTask(db, task, err, now);
  }
};

/** The import sets the next time itself if it fails. */
const lostImport = (now: number) =>
  sql<boolean>`not ended and command_id is null and status = ${sql.lit(dpiStatus.ids.uploaded)} and next_at <= ${now}`;

/** Queues imports again that failed or lost their job. */
const repeatImports = async (db: Db, now: number) => {
  const due = await db
    .updateTable('dpi_task')
    .set({ next_at: now + 3600 })
    .where(lostImport(now))
    .returning(['id', 'agent_id'])
    .execute();
  for (const { id, agent_id } of due) await enqueue(db, now, { kind: 'dpi_import', payload: { id }, agentId: agent_id });
};

/** The file is complete before the gateway reports it; this time allows for a slow commit. */
const uploadWaitS = 600;

/** Uploads that the gateway reported and the file exchange did not receive. */
const missingUpload = (now: number) => sql<boolean>`not t.ended and t.said_sha256 is not null and t.file_sha256 is null
  and t.update_at <= ${now - uploadWaitS}::bigint and t.status in (${sql.lit(dpiStatus.ids.issued)}, ${sql.lit(dpiStatus.ids.executing)})`;

/** Retries them. Fails after the last try. */
const refuseMissing = async (db: Db, now: number) => {
  const { issued, upload_failed } = dpiStatus.ids;
  const reason: DpiReason = 'not_received';
  await sql`update dpi_task t set err = ${reason}, said_sha256 = null, command_id = null, progress = 0, update_at = ${now}::bigint,
      status = case when t.tries < ${limits.fileTries} then ${sql.lit(issued)} else ${sql.lit(upload_failed)} end, ended = t.tries >= ${limits.fileTries},
      next_at = ${now}::bigint + 60 * 4 ^ greatest(t.tries - 1, 0)
    where ${missingUpload(now)}`.execute(db);
};

const stillInSection = sql<boolean>`ended and section_rev is not null`;

/** Removes tasks that reached their limit from the sections of their devices. */
const dropEnded = async (db: Db, now: number) => {
  const ended = await db
    .selectFrom('dpi_task')
    .select(['id', 'device_id'])
    .where(stillInSection)
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

/** Appointments and retries. */
const due = (
  now: number,
) => sql<boolean>`not ended and command_id is null and section_rev is null and status = ${sql.lit(dpiStatus.ids.issued)}
  and next_at <= ${now} and device_id is not null`;

const isDue = (now: number) => sql<boolean>`(exists (select from ${orphaned}) or exists (select from dpi_task where ${stillInSection})
  or exists (select from dpi_task where ${lostImport(now)}) or exists (select from dpi_task t where ${missingUpload(now)})
  or exists (select from dpi_task where ${due(now)}))`;

/** Starts appointments and retries that are due. One transaction under an exclusive lock, safe at any time. */
export const dispatchTasks = (deps: Deps): Promise<number> =>
  deps.db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${lockGroup}, ${locks.dpiDispatch})`.execute(db);
    const now = deps.clock.now();
    await endOrphaned(db, now);
    await dropEnded(db, now);
    await repeatImports(db, now);
    await refuseMissing(db, now);
    const tasks = await db
      .selectFrom('dpi_task')
      .select('id')
      .where(due(now))
      .orderBy('next_at')
      .orderBy('id')
      .limit(tasksPerRun)
      .execute();
    for (const { id } of tasks) {
      const task = await lockTask(db, id);
      if (task && !task.ended && task.command_id === null && task.status === dpiStatus.ids.issued)
        await startTask({ db, config: deps.config }, task, now);
    }
    return tasks.length;
  });

export const dpiTaskJobs: JobKinds = {
  dpi_dispatch: {
    run: async ({ deps }) => {
      await dispatchTasks(deps);
    },
    everyS: 30,
    isDue: ({ clock }) => isDue(clock.now()),
    retentionS,
  },
};
