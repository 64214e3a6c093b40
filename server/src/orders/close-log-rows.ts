import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';

/**
 * Closes the open link and access point log rows when a device changes owner or hardware. The next report of the gateway opens new rows.
 */
export const closeLogRows = async (db: Db, deviceId: number, now: number) => {
  const duration = sql<number>`greatest(0, ${now}::bigint - create_at)`;
  for (const table of ['wan_link_log', 'ap_link_log'] as const)
    await db.updateTable(table).set({ duration: duration }).where('device_id', '=', deviceId).where('duration', 'is', null).execute();
  for (const table of ['ap', 'ap_look', 'device_container'] as const)
    await db.deleteFrom(table).where('device_id', '=', deviceId).execute();
  await db.updateTable('device_status').set({ link_marks: null }).where('device_id', '=', deviceId).execute();
};
