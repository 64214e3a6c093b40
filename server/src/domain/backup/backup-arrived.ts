import { zoneMinutes } from '@farlink/contract/kit/zone.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { Db } from '../../kit/deps.ts';
import { localTime } from '../../kit/formats/cell.ts';
import { enqueue } from '../../kit/jobs/job.ts';
import type { Arrival } from '../../orders/file-exchange.ts';
import { claimUpload } from '../../orders/file-exchange.ts';

/** Gateways compress their backups; older ones do not. */
const extensionOf = (head: Buffer) => {
  if (head.toString('hex', 0, 2) === '1f8b') return 'cfg.gz';
  return head.toString('latin1', 0, 1) === '{' ? 'json' : 'bin';
};

/** Deletes the oldest backups above the limit. Their files are deleted after the commit. */
const deleteOldBackups = async (db: Db, deviceId: number, agentId: number, now: number) => {
  const old = await db
    .selectFrom('device_backup')
    .select(['id', 'key'])
    .where('device_id', '=', deviceId)
    // Backups of an earlier owner are kept.
    .where('agent_id', '=', agentId)
    .orderBy('create_at', 'desc')
    .orderBy('id', 'desc')
    .offset(limits.backupsPerDevice)
    .execute();
  for (const { id, key } of old) {
    await db.deleteFrom('device_backup').where('id', '=', id).execute();
    await enqueue(db, now, { kind: 'remove_file', payload: { key } });
  }
};

/** Part of the transaction that stores the upload, so the backup exists exactly when its file does. */
export const backupArrived = async (db: Db, { id, head }: Arrival, now: number) => {
  const order = await db
    .selectFrom('backup_order')
    .innerJoin('device', 'device.id', 'backup_order.device_id')
    .leftJoin('device_command as command', 'command.id', 'backup_order.command_id')
    .select(['backup_order.backup_type', 'backup_order.operator', 'command.operator_agent_id', 'backup_order.remark'])
    .select(['device.id', 'device.agent_id', 'device.sn', 'device.name', 'device.version'])
    .where('backup_order.id', '=', id)
    .executeTakeFirst();
  const file = order && (await claimUpload(db, id));
  if (!file) return;
  const { sn, name, agent_id, version, backup_type, operator, operator_agent_id, remark } = order;
  const time = localTime(now, zoneMinutes).replace(/[-:]/g, '').replace(' ', '-');
  await db
    .insertInto('device_backup')
    .values({
      device_id: order.id,
      agent_id,
      sn,
      version,
      backup_type,
      operator,
      operator_agent_id,
      remark,
      device_name: name,
      size: file.size,
      md5: file.md5,
      sha256: file.sha256,
      key: file.key,
      file_name: `${sn}-${time}.${extensionOf(head)}`,
      create_at: now,
    })
    .execute();
  await deleteOldBackups(db, order.id, agent_id, now);
};
