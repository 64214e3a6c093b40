import { Readable } from 'node:stream';
import { openFileStore } from '../src/kit/files/open-file-store.ts';
import type { Api } from './api.ts';

interface Victim {
  readonly agentId: number;
  readonly uid: number;
  readonly deviceId: number;
  readonly mark: string;
}

/** A file, an upload, a task and a backup of the victim: row ids by path, and the file by its field. */
export const makeVictimFiles = async (api: Api, { agentId, uid, deviceId, mark }: Victim) => {
  const { db } = api;
  const owner = { agent_id: agentId, create_at: 1 };
  const content = { size: 1, sha256: '-', key: 'file/zeta' };
  await openFileStore(api.deps.config).put('file/zeta', Readable.from(['x']), 1);
  const file = await db
    .insertInto('file')
    .values({ ...owner, ...content, batch: mark, name: `${mark} file`, type: 'other', file_name: mark, zip: false, operator: mark })
    .returning('id')
    .executeTakeFirstOrThrow();
  const upload = await db
    .insertInto('file_upload')
    .values({ ...owner, customer_id: uid, mark, file_name: mark, type: 'other', size: 9, part_size: 4, update_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const order = { task_no: mark, file_name: mark, batch: mark, path: '/tmp', operation: 'none', send_mode: 'immediate' } as const;
  const task = await db
    .insertInto('file_task')
    .values({ ...owner, ...order, file_id: file.id, size: 1, send_at: 1, state: 'running', device_count: 1, operator: mark })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('file_task_device')
    .values({ task_id: task.id, device_id: deviceId, agent_id: agentId, sn: mark, device_name: mark, update_at: 1 })
    .execute();
  const backup = await db
    .insertInto('device_backup')
    .values({ ...owner, ...content, md5: '-', device_id: deviceId, sn: mark, device_name: mark, file_name: mark, backup_type: 'auto' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const actions = ['detail', 'stop', 'pause', 'resume', 'remove'].map((action) => [`file/task/${action}/{id}`, task.id] as const);
  return {
    rows: {
      'file/{id}': file.id,
      'file/download/{id}': file.id,
      'file/upload/{id}': upload.id,
      'device_backup/download/{id}': backup.id,
      ...Object.fromEntries(actions),
    },
    fields: { file_ids: file.id },
  };
};
