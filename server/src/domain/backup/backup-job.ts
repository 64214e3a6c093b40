import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import type { Deps } from '../../kit/deps.ts';
import type { JobKinds } from '../../kit/jobs/job.ts';
import { lightNetworks } from '../file-task/dispatch-rate.ts';
import { orderBackup } from './order-backup.ts';

/** 10,000 gateways per week are 10 per round. A round takes more, so that gateways that were offline catch up. */
const perRound = 50;
const day = 86_400;

/** Online gateways on a suitable link without an automatic backup this week. After a failure the next try is a day later. */
const dueDevices = async ({ db, clock }: Deps) => {
  const now = clock.now();
  const { rows } = await sql<{ id: number }>`
    select d.id from device d
    where d.online_state = 1 and d.network <> all(${lightNetworks}::text[]) and d.status = 0
      and d.auth_status in ('formal', 'test') and (d.auth_expire_at is null or d.auth_expire_at > ${now})
      and not exists (select from device_backup b where b.device_id = d.id and b.backup_type = 'auto' and b.create_at > ${now - limits.backupEveryDays * day})
      and not exists (select from backup_order o where o.device_id = d.id and o.backup_type = 'auto' and o.create_at > ${now - day})
    order by d.id limit ${perRound}`.execute(db);
  return rows.map((r) => r.id);
};

export const orderDueBackups = async (deps: Deps) => {
  const now = deps.clock.now();
  for (const deviceId of await dueDevices(deps))
    await deps.db.transaction().execute(async (db) => {
      // Another worker may have ordered the backup meanwhile.
      await sql`select from device where id = ${deviceId} for no key update`.execute(db);
      const order = await db
        .selectFrom('backup_order')
        .select('id')
        .where('device_id', '=', deviceId)
        .where('backup_type', '=', 'auto')
        .where('create_at', '>', now - day)
        .executeTakeFirst();
      if (!order) await orderBackup(db, deps.config, { deviceId, type: 'auto', now });
    });
  await deps.db
    .deleteFrom('backup_order')
    .where('create_at', '<', now - 30 * day)
    .execute();
};

export const backupJobs: JobKinds = { backup_auto: { run: ({ deps }) => orderDueBackups(deps), everyS: 600 } };
