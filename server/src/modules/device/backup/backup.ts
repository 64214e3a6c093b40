import { backupCalls as calls } from '@farlink/contract/device/backup.ts';
import { orderBackup } from '../../../domain/backup/order-backup.ts';
import { fail } from '../../../kit/fail.ts';
import { FileResponse } from '../../../kit/files/file-response.ts';
import { openFileStore } from '../../../kit/files/open-file-store.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { eachOf } from '../../../kit/list/batch.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { record } from '../../../kit/log/record.ts';
import { backupQuery, backupsAlone } from './backup-query.ts';

export const listBackups: Handler<typeof calls.list> = (ctx, input) =>
  pageOf(ctx.db, calls.list, input, backupQuery(ctx.db, ctx), backupsAlone(ctx.db, ctx.me));

export const makeBackups: Handler<typeof calls.make> = (ctx, { device_ids, remark }) =>
  eachOf(
    ctx,
    device_ids,
    () => ({ content: ['备份设备配置', 'Back up a device'] }),
    async (inside, id) => {
      const device = await inside.db
        .selectFrom('device')
        .select(['id', 'name', 'sn'])
        .where('id', '=', id)
        .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
        .executeTakeFirst();
      if (!device) throw fail('not_found');
      await orderBackup(inside.db, ctx.deps.config, { deviceId: id, type: 'manual', now: ctx.now(), remark: remark ?? null, by: ctx.me });
      record(inside, [`备份设备 ${device.name} 的配置`, `Requested a backup of ${device.name}`], { subject: `device:${id}` });
    },
  );

export const downloadBackup: Handler<typeof calls.download> = async (ctx, { id }) => {
  const row = await ctx.db
    .selectFrom('device_backup')
    .select(['key', 'file_name', 'size'])
    .where('id', '=', id)
    .where(inScope(ctx.me, 'device_backup.agent_id', 'device_backup.device_id'))
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  const body = await openFileStore(ctx.deps.config).get(row.key);
  return new FileResponse({ body, type: 'application/octet-stream', name: row.file_name, size: row.size });
};
