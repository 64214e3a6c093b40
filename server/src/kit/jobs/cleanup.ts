import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { exportState } from '@farlink/contract/export/export.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { Deps } from '../deps.ts';
import { openFileStore } from '../files/open-file-store.ts';
import type { JobKinds, JobRun } from './job.ts';

const day = 86_400;

/** Retention of finished data. */
export const retention = {
  exportFile: 7 * day,
  job: 30 * day,
  message: 30 * day,
  smsCode: 2 * day,
  temporaryFile: day,
  knownClient: 180 * day,
} as const;

/** Deletes export files that are old, or whose export failed or was cancelled without cleanup. */
const sweepExports = async (deps: Deps, now: number) => {
  const store = openFileStore(deps.config);
  const tasks = await deps.db
    .selectFrom('export_task')
    .select(['id', 'file_key', 'state'])
    .where('file_key', 'is not', null)
    .where('finish_at', 'is not', null)
    .where((eb) => eb.or([eb('finish_at', '<', now - retention.exportFile), eb('state', '<>', exportState.id('succeeded'))]))
    .execute();
  for (const { id, file_key, state } of tasks) {
    if (file_key) await store.remove(file_key);
    const expired = state === exportState.id('succeeded');
    await deps.db
      .updateTable('export_task')
      .set({ file_key: null, ...(expired && { message_zh: '文件已过保留期，已删除', message_en: 'The file was removed after 7 days' }) })
      .where('id', '=', id)
      .where('file_key', '=', file_key)
      .execute();
  }
};

/** Deletes partial files of a killed process. It uses the real clock, because file times do. */
const sweepTemporary = async (dataDir: string) => {
  const folder = join(dataDir, 'tmp');
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < Date.now() - retention.temporaryFile * 1000) await rm(path, { force: true });
  }
};

const sweep = async ({ deps, commit }: JobRun) => {
  const now = deps.clock.now();
  await sweepExports(deps, now);
  await sweepTemporary(deps.config.dataDir);
  await commit(async (db) => {
    await db.deleteFrom('captcha').where('expire_at', '<=', now).execute();
    await db.deleteFrom('remember_token').where('expire_at', '<=', now).execute();
    // Any name can be tried, so attempts must not accumulate. The longest lock is a day.
    await db
      .deleteFrom('attempt')
      .where('update_at', '<', now - day)
      .execute();
    await db
      .deleteFrom('portal_known_client')
      .where('login_at', '<', now - retention.knownClient)
      .execute();
    // The longest window is an hour.
    await db
      .deleteFrom('rate_count')
      .where('minute', '<', Math.floor(now / 60) - 120)
      .execute();
    await db
      .deleteFrom('sms_code')
      .where('create_at', '<', now - retention.smsCode)
      .execute();
    await db
      .deleteFrom('sms_outbox')
      .where('create_at', '<', now - retention.message)
      .execute();
    await db
      .deleteFrom('outbox')
      .where('create_at', '<', now - retention.message)
      .where('state', '<>', 'waiting')
      .execute();
    await db
      .deleteFrom('idempotency_key')
      .where('create_at', '<=', now - limits.idempotencyS)
      .execute();
    await db
      .deleteFrom('job')
      .where('finish_at', '<', now - retention.job)
      .execute();
    // The requester was deleted, so no account can see the export.
    await db
      .deleteFrom('export_task')
      .where('customer_id', 'is', null)
      .where('file_key', 'is', null)
      .where('finish_at', 'is not', null)
      .execute();
  });
};

const removeFile = async ({ deps, job }: JobRun) => {
  const key = isRecord(job.payload) ? String(job.payload.key ?? '') : '';
  await openFileStore(deps.config).remove(key);
};

export const cleanupJobs: JobKinds = { housekeeping: { run: sweep, everyS: 3600 }, remove_file: { run: removeFile } };
