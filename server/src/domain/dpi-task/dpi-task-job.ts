import { dpiStatus } from '@farlink/contract/traffic/dpi-choices.ts';
import type { DpiReason } from '@farlink/contract/traffic/dpi-reasons.ts';
import { sql } from 'kysely';
import type { Db, Deps } from '../../kit/deps.ts';
import { enqueue, type JobKinds } from '../../kit/jobs/job.ts';
import { endTask, lockTask } from './order-task.ts';
import { refreshReportSection, startTask } from './start-task.ts';

/** Runs every 30 seconds, and at the time of an appointment. */
export const dpiTaskEvery = { dpi_dispatch: 30 };
const keepS = 3600;
const most = 500;

/** Ends tasks of devices that were deleted or have a new owner. */
const abandonLost = async (db: Db, now: number) => {
  const { rows } = await sql<{ id: number; gone: boolean }>`
    select t.id, t.device_id is null as gone from dpi_task t left join device d on d.id = t.device_id
    where not t.ended and t.status <> ${dpiStatus.ids.uploaded} and (t.device_id is null or d.agent_id <> t.agent_id) order by t.id limit ${most}`.execute(
    db,
  );
  for (const { id, gone } of rows) {
    const task = await lockTask(db, id);
    const err: DpiReason = gone ? 'device_gone' : 'device_moved';
    if (task && !task.ended) await endTask(db, task, err, now);
  }
};

/** Orders imports again that failed, or whose job was lost. */
const repeatImports = async (db: Db, now: number) => {
  const due = await db
    .updateTable('dpi_task')
    // The import sets the next time itself if it fails.
    .set({ next_at: now + 3600 })
    .where('ended', '=', false)
    .where('command_id', 'is', null)
    .where('status', '=', dpiStatus.ids.uploaded)
    .where('next_at', '<=', now)
    .returning('id')
    .execute();
  for (const { id } of due) await enqueue(db, now, { kind: 'dpi_import', payload: { id } });
};

/** Removes tasks that reached their limit from the sections of their devices. */
const dropEnded = async (db: Db, now: number) => {
  const ended = await db
    .selectFrom('dpi_task')
    .select(['id', 'device_id'])
    .where('ended', '=', true)
    .where('section_rev', 'is not', null)
    .orderBy('device_id')
    .limit(most)
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
    await sql`select pg_advisory_xact_lock(7206, 3)`.execute(db);
    const now = deps.clock.now();
    await abandonLost(db, now);
    await dropEnded(db, now);
    await repeatImports(db, now);
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
      .limit(most)
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
    keepS,
  },
};
