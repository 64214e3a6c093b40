import type { deviceCalls as calls } from '@farlink/contract/device/device.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { closeLogRows } from '../../orders/close-log-rows.ts';
import { endOnlineSessions } from '../../orders/end-online-sessions.ts';
import { endConnections, notifyChange } from '../../orders/notify.ts';
import { boundTo } from './bound-to.ts';
import { type DeviceRow, deviceLabelOf, lockDevice, namesOf, subjectOf } from './find-device.ts';
import { refuseTransfer } from './refuse.ts';

const actionText: Text = ['删除设备', 'Delete device'];

const refuseNeeded = (ctx: Ctx, device: DeviceRow) => {
  if (device.online_state === 1) throw fail('device_online');
  refuseTransfer(device);
  // A VNO could delete the device and let it bind again, which would end the suspension.
  if (device.auth_status === 'suspended' && ctx.me.agent_level > 0) throw fail('device_suspended_kept');
};

/** Removes the device from packages and roles; accounts lose their binding when the row is deleted. */
const unbind = async (ctx: Ctx, id: number) => {
  await endOnlineSessions(ctx.db, id, ctx.now());
  await closeLogRows(ctx.db, id, ctx.now());
  await sql`update package set device_ids = array_remove(device_ids, ${id}::bigint), version = version + 1, update_at = ${ctx.now()}
    where device_ids @> array[${id}]::bigint[]`.execute(ctx.db);
  await sql`update role set device_ids = array_remove(device_ids, ${id}::bigint) where ${id}::bigint = any(device_ids)`.execute(ctx.db);
};

/**
 * Unused cards bound to the device block its deletion: without the device, they would be valid everywhere. All other bindings are released;
 * bills, sessions and logs stay.
 */
export const removeDevices: Handler<typeof calls.remove> = async (ctx, { ids }) =>
  eachOf(ctx, ids, await namesOf(ctx, ids, actionText), async (row, id) => {
    const device = await lockDevice(row, id);
    refuseNeeded(row, device);
    const { accounts, paid, packages, cards } = await boundTo(row, device);
    if (cards > 0) throw fail('device_has_cards', { args: [cards] });
    await unbind(row, id);
    await row.db.deleteFrom('device').where('id', '=', id).execute();
    await endConnections(row.db, device.sn);
    await notifyChange(row.db, 'record', [id]);
    const { name, sn, agent_id, model, device_group_id, auth_status } = device;
    record(row, [`删除设备 ${deviceLabelOf(device)}`, `Deleted device ${deviceLabelOf(device)}`], {
      before: { name, sn, agent_id, model, device_group_id, auth_status, accounts, paid_accounts: paid, packages },
      subject: subjectOf(id),
    });
  });
