import { int, obj, parse } from '@farlink/gateway/protocol/shape.ts';
import type { Db } from '../../kit/deps.ts';
import type { JobKinds } from '../../kit/jobs/job.ts';
import { sendCommand } from '../../orders/command.ts';
import { readAddress } from '../../orders/file-exchange.ts';

const week = 7 * 86_400;

/** Newest backup of a device that belongs to this owner. */
export const newestBackup = (db: Db, deviceId: number, agentId: number) =>
  db
    .selectFrom('device_backup')
    .select(['key', 'size', 'sha256'])
    .where('device_id', '=', deviceId)
    .where('agent_id', '=', agentId)
    .orderBy('create_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

const id = int(1, Number.MAX_SAFE_INTEGER);
const payload = obj({ device: id, agent: id });

/** Restores the backup that a gateway requested when it was bound. The binding is kept, because the backup may contain another one. */
export const restoreJobs: JobKinds = {
  backup_restore: {
    run: async ({ job, deps, commit }) => {
      const parsed = parse(payload, job.payload);
      await commit(async (db) => {
        if ('reason' in parsed) return undefined;
        const { device, agent } = parsed.value;
        // The device may have a new owner since the request. A backup of another VNO must not be restored.
        const owned = await db
          .selectFrom('device')
          .select('id')
          .where('id', '=', device)
          .where('agent_id', '=', agent)
          .forShare()
          .executeTakeFirst();
        const found = owned && (await newestBackup(db, device, agent));
        if (!found) return undefined;
        const now = deps.clock.now();
        const { key, sha256, size } = found;
        const url = readAddress(deps.config, { device_id: device, key, sha256, until: now + week });
        const command = await sendCommand(
          db,
          device,
          'backup.restore',
          { url, sha256, size, keep_binding: true },
          { now, deadline: now + week },
        );
        return { command };
      });
    },
  },
};
