import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exportState } from '@farlink/contract/export/export.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import type { Lang, Text } from '@farlink/contract/kit/text.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { type Expression, type Selectable, sql, type Updateable } from 'kysely';
import type { ExportInput, SessionInfo } from '../../db/column-types.ts';
import type { ExportTaskTable } from '../../db/tables.ts';
import type { Db, Deps } from '../deps.ts';
import { Refusal } from '../fail.ts';
import { openFileStore } from '../files/open-file-store.ts';
import { localTime } from '../formats/cell.ts';
import type { Job, JobKinds, JobRun } from '../jobs/job.ts';
import { jobOwnerOf } from '../jobs/job-owner.ts';
import { filterSql, orderSql } from '../list/conditions.ts';
import { type Derived, exportRows, isNamed, openSnapshot, type Print, type Row, storedColumns } from './export-rows.ts';

export interface JobOwner {
  readonly me: SessionInfo;
  readonly lang: Lang;
}

interface ExportSource {
  /** Same query as the list passes to `pageOf`, within the scope of the job owner. */
  readonly query: Expression<unknown>;
  readonly resource: Resource;
  /** If it is not the one of the resource. */
  readonly order?: Expression<unknown> | undefined;
  readonly values?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** Columns that the query does not return, by the columns that they are worked out of. */
  readonly derived?: Readonly<Record<string, Derived>>;
  readonly read?: (row: Row) => Row;
  readonly print?: Print;
}

export type ExportBuilder = (deps: Deps, owner: JobOwner, input: ExportInput) => ExportSource | Promise<ExportSource>;

/** By operate key. */
export type ExportBuilders = Readonly<Record<string, ExportBuilder>>;

type Task = Selectable<ExportTaskTable>;

const { id: stateOf } = exportState;
const open = exportState.from('cancel');

/** spec §4: each stage has a separate failure state. */
const failureOf = new Map<Task['state'], Task['state']>([
  [stateOf('consolidating'), stateOf('consolidation_failed')],
  [stateOf('generating'), stateOf('generation_failed')],
  [stateOf('uploading'), stateOf('upload_failed')],
]);

const taskId = (payload: unknown): number => (isRecord(payload) ? Number(payload.task_id) : Number.NaN);

/** Moves a task to the next stage; throws if it was cancelled. */
const move = async (
  deps: Deps,
  id: number,
  stage: 'exporting' | 'consolidating' | 'generating' | 'uploading',
  more: Updateable<ExportTaskTable> = {},
) => {
  const task = await deps.db
    .updateTable('export_task')
    .set({ state: stateOf(stage), ...more })
    .where('id', '=', id)
    .where('state', 'in', open)
    .returningAll()
    .executeTakeFirst();
  if (!task) throw new Error('the export was cancelled');
  return task;
};

const compile = async (deps: Deps, task: Task, owner: JobOwner, builders: ExportBuilders) => {
  const builder = builders[task.call];
  if (!builder) throw new Error(`no export is registered for ${task.call}`);
  const { input } = task.payload;
  const { query, resource, order = orderSql(resource, input.orderby), ...sheet } = await builder(deps, owner, input);
  // Reads only the exported columns, because an export may have a million rows.
  const columns = isNamed(sheet) ? sql`*` : sql.join(storedColumns(resource, sheet.derived).map((name) => sql.ref(`t.${name}`)));
  const found = sql`from ${query} as t where ${filterSql(resource, input.filters)}`;
  return {
    sheet: { ...sheet, resource },
    query: sql`select ${columns} ${found} order by ${order}`.compile(deps.db),
    // Without the order, because sorting is not needed to count.
    count: sql`select count(*) as n ${found}`.compile(deps.db),
  };
};

const fileName = (task: Task, lang: Lang) => {
  const title = (lang === 'en' ? task.title_en : task.title_zh).replace(/[\\/:*?"<>|\s]+/g, '_');
  return `${title}-${localTime(task.create_at, task.payload.offset_minutes).replace(/[-:]/g, '').replace(' ', '-')}.${task.format}`;
};

/** Writes the file. Returns undefined if there are no rows. */
const generateFrom = async (pool: Deps['pool'], run: JobRun, task: Task, builders: ExportBuilders, path: string) => {
  const { deps, job, signal } = run;
  const { sheet, query, count } = await compile(deps, task, { me: await jobOwnerOf(run), lang: job.lang }, builders);
  await move(deps, task.id, 'consolidating');
  const snapshot = await openSnapshot(pool, query, count);
  try {
    if (snapshot.count === 0) return undefined;
    await move(deps, task.id, 'generating', { row_count: snapshot.count });
    let shown = 0;
    const written = async (rows: number) => {
      const percent = Math.floor((90 * rows) / snapshot.count);
      if (percent === shown) return;
      shown = percent;
      await run.progress(percent);
      await deps.db.updateTable('export_task').set({ progress: percent }).where('id', '=', task.id).execute();
    };
    const textOptions = { format: task.format, lang: job.lang, offsetMinutes: task.payload.offset_minutes };
    return await exportRows(snapshot, { ...sheet, ...textOptions }, path, signal, written);
  } finally {
    await snapshot.close();
  }
};

/** Reads from the replica if it has everything that is committed now. An export that fails there is read from the primary. */
const generate = async (run: JobRun, task: Task, builders: ExportBuilders, path: string) => {
  const { pool, replica } = run.deps;
  const readPool = await replica?.poolForExport();
  if (!replica || !readPool) return generateFrom(pool, run, task, builders, path);
  try {
    return await generateFrom(readPool, run, task, builders, path);
  } catch (error) {
    // A refusal or a cancelled job would fail again.
    if (error instanceof Refusal || run.signal.aborted || run.cancelled()) throw error;
    replica.failed(error);
    await rm(path, { force: true });
    return generateFrom(pool, run, task, builders, path);
  }
};

/** Deletes the file unless a finished task refers to it. The database is checked, because a commit may have succeeded without a reply. */
const discardUnowned = async (deps: Deps, id: number, key: string) => {
  const owned = await deps.db
    .selectFrom('export_task')
    .select('id')
    .where('id', '=', id)
    .where('file_key', '=', key)
    .where('state', '=', stateOf('succeeded'))
    .executeTakeFirst();
  if (!owned) await openFileStore(deps.config).remove(key);
};

const finish = (db: Db, id: number, patch: Updateable<ExportTaskTable>) =>
  db.updateTable('export_task').set(patch).where('id', '=', id).execute();

const upload = async (run: JobRun, task: Task, path: string, size: number) => {
  const { deps, job } = run;
  const key = `export/${task.id}/${randomUUID()}.${task.format}`;
  // The key is stored before the file exists, so that a cleanup after a crash can find it.
  await move(deps, task.id, 'uploading', { file_key: key, progress: 90 });
  try {
    await openFileStore(deps.config).put(key, path, size);
    const name = fileName(task, job.lang);
    await run.commit(async (db) => {
      await finish(db, task.id, {
        state: stateOf('succeeded'),
        progress: 100,
        file_name: name,
        file_size: size,
        finish_at: deps.clock.now(),
      });
    });
  } catch (error) {
    await discardUnowned(deps, task.id, key);
    throw error;
  }
};

const runExport = async (run: JobRun, builders: ExportBuilders) => {
  const { deps, job } = run;
  const id = taskId(job.payload);
  const before = await deps.db.selectFrom('export_task').select('file_key').where('id', '=', id).executeTakeFirst();
  if (before?.file_key) await openFileStore(deps.config).remove(before.file_key);
  const task = await move(deps, id, 'exporting', { progress: 0, file_key: null });
  const folder = join(deps.config.dataDir, 'tmp');
  const path = join(folder, `export-${id}-${randomUUID()}`);
  await mkdir(folder, { recursive: true });
  try {
    const size = await generate(run, task, builders, path);
    if (size !== undefined) return await upload(run, task, path, size);
    await run.commit(async (db) => {
      await finish(db, id, { state: stateOf('no_data'), progress: 100, row_count: 0, finish_at: deps.clock.now() });
    });
  } finally {
    await rm(path, { force: true });
  }
};

const exportFailed = async (db: Db, job: Job, [zh, en]: Text, now: number) => {
  const id = taskId(job.payload);
  const task = await db
    .selectFrom('export_task')
    .select('state')
    .where('id', '=', id)
    .where('state', 'in', open)
    .forUpdate()
    .executeTakeFirst();
  if (!task) return;
  const state = failureOf.get(task.state) ?? stateOf('failed');
  await finish(db, id, { state, message_zh: zh, message_en: en, finish_at: now });
};

export const exportJobs = (builders: ExportBuilders): JobKinds => ({
  export: { run: (run) => runExport(run, builders), failed: exportFailed },
});
