import { CompiledQuery } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import type { Arrival } from '../../orders/file-exchange.ts';
import { completeUploadsSql } from './complete-uploads.ts';

/** Part of the transaction that stores the upload. The file of a task that has ended is not claimed, so it is deleted later. */
export const dpiArrived = async (db: Db, { id, key, size, sha256, device_id }: Arrival, now: number) => {
  const task = await db
    .updateTable('dpi_task')
    .set({ file_key: key, file_size: size, file_sha256: sha256, update_at: now })
    .where('upload_id', '=', id)
    .where('device_id', '=', device_id)
    .where('ended', '=', false)
    .returning('id')
    .executeTakeFirst();
  if (task) await db.executeQuery(CompiledQuery.raw(completeUploadsSql, [[task.id], now]));
};
