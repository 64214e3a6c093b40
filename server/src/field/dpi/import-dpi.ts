import { dpiStatus } from '@farlink/contract/traffic/dpi-choices.ts';
import type { DpiReason } from '@farlink/contract/traffic/dpi-reasons.ts';
import { isPlausible } from '@farlink/gateway/protocol/clock.ts';
import type { DpiLine } from '@farlink/gateway/protocol/dpi.ts';
import { int, obj, parse } from '@farlink/gateway/protocol/shape.ts';
import type { DpiTask } from '../../domain/dpi-task/start-task.ts';
import type { Deps } from '../../kit/deps.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { enqueue, type JobKinds } from '../../kit/jobs/job.ts';
import { notifyChange } from '../../orders/notify.ts';
import { storeBatches } from '../store/batches.ts';
import { inStore } from '../store/store.ts';
import { readDpiFile, UnreadableFile } from './read-dpi-file.ts';

/** Batches per commit: few, so that live reports of the gateway wait only briefly. */
const batchesAtOnce = 100;
/** A failed import is tried again after 1, 4, 16 … minutes, at most a day. */
const longestWaitS = 86_400;
/** About three days: time to repair a file store that does not reply. */
const missingTries = 8;

type ImportDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config'>;

/** The same path as live batches: what was reported before is not counted again. */
const storeLines = ({ pool, clock }: ImportDeps, deviceId: number, lines: readonly DpiLine[]) =>
  inStore(pool, clock.now(), '', async (tx) => {
    // A device cannot be deleted while its batches are stored.
    const sql = 'select sn from device where id = $1 for key share';
    const [device] = await tx.query<{ sn: string }>('dpi_device', sql, [deviceId]);
    if (!device) throw new Error('device_gone');
    const from = { sn: device.sn, device: deviceId, conn: '' };
    await storeBatches(
      tx,
      lines.map(({ stream, batch }) => ({ ...from, stream, body: batch })),
    );
  });

const importFile = async (deps: ImportDeps, { file_key, file_size, data_type, device_id }: DpiTask) => {
  if (file_key === null || device_id === null) throw new UnreadableFile('missing');
  const file = await openFileStore(deps.config)
    .get(file_key)
    .catch(() => {
      throw new UnreadableFile('missing');
    });
  let lines: DpiLine[] = [];
  for await (const line of readDpiFile(file, file_size ?? 0, data_type)) {
    // Older data would be stored at the time of arrival.
    if (!isPlausible(line.batch.t0, deps.clock.now())) continue;
    lines.push(line);
    if (lines.length < batchesAtOnce) continue;
    await storeLines(deps, device_id, lines);
    lines = [];
  }
  if (lines.length > 0) await storeLines(deps, device_id, lines);
};

/** An import cannot succeed if its device is deleted, or if its file is missing for days. */
const endOf = (
  { device_id, tries }: DpiTask,
  error: Error,
): { readonly status: DpiTask['status']; readonly err: DpiReason } | undefined => {
  if (device_id === null || error.message === 'device_gone') return { status: dpiStatus.ids.cancelled, err: 'device_gone' };
  const isMissing = error instanceof UnreadableFile && error.message === 'missing';
  return isMissing && tries >= missingTries ? { status: dpiStatus.ids.upload_failed, err: 'missing' } : undefined;
};

const failedWith = (deps: ImportDeps, task: DpiTask, error: Error) => {
  const { id, tries } = task;
  const now = deps.clock.now();
  const end = endOf(task, error);
  if (end)
    return deps.db
      .updateTable('dpi_task')
      .set({ ...end, ended: true, update_at: now })
      .where('id', '=', id)
      .where('status', '=', dpiStatus.ids.uploaded)
      .execute();
  const wait = Math.min(longestWaitS, 60 * 4 ** Math.min(tries, 8));
  const detail = error instanceof UnreadableFile ? `${error.message} ${error.detail}`.trim() : error.message;
  return deps.db
    .updateTable('dpi_task')
    .set((eb) => ({ err: `import ${detail}`, tries: eb('tries', '+', 1), next_at: now + wait, update_at: now }))
    .where('id', '=', id)
    .where('status', '=', dpiStatus.ids.uploaded)
    .execute();
};

/** Stores the batches of an uploaded file. It can be repeated at any time: each batch is stored once. */
export const importTask = async (deps: ImportDeps, id: number) => {
  const task = await deps.db
    .selectFrom('dpi_task')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', dpiStatus.ids.uploaded)
    .where('ended', '=', false)
    .executeTakeFirst();
  if (!task) return;
  try {
    await importFile(deps, task);
  } catch (error) {
    await failedWith(deps, task, error instanceof Error ? error : new Error(String(error)));
    return;
  }
  await deps.db.transaction().execute(async (db) => {
    const now = deps.clock.now();
    const done = await db
      .updateTable('dpi_task')
      .set({ status: dpiStatus.ids.reported, ended: true, err: null, file_key: null, update_at: now })
      .where('id', '=', id)
      .where('status', '=', dpiStatus.ids.uploaded)
      .returning('device_id')
      .executeTakeFirst();
    if (!done) return;
    if (task.file_key !== null) await enqueue(db, now, { kind: 'remove_file', payload: { key: task.file_key } });
    if (done.device_id !== null) await notifyChange(db, 'command', [done.device_id]);
  });
};

const payload = obj({ id: int(1, Number.MAX_SAFE_INTEGER) });

export const dpiImportJobs: JobKinds = {
  dpi_import: {
    run: async ({ deps, job }) => {
      const parsed = parse(payload, job.payload);
      if ('value' in parsed) await importTask(deps, parsed.value.id);
    },
    retentionS: 3600,
  },
};
