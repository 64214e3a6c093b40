import type { transferCalls as calls } from '@farlink/contract/device/transfer.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import { logTransfers } from '../../../domain/transfer/log-transfer.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { eachOf } from '../../../kit/list/batch.ts';
import { record } from '../../../kit/log/record.ts';
import { cancelCommand, sendCommand } from '../../../orders/command.ts';
import { deviceLabelOf, lockDevice, namesOf, patchDevice, subjectOf } from '../find-device.ts';

const actionText: Text = ['清除转移状态', 'Clear the transfer status of device'];
const forgetS = 900;

/** The gateway deletes the new key if it receives the command; otherwise the key is invalid anyway. */
const stop = async (ctx: Ctx, deviceId: number) => {
  const now = ctx.now();
  const open = await ctx.db
    .updateTable('device_transfer')
    .set({ state: 'cleared', finish_at: now })
    .where('device_id', '=', deviceId)
    .where('state', 'in', ['preparing', 'acknowledged'])
    .returning(['id', 'command_id'])
    .execute();
  await logTransfers(
    ctx.db,
    'cleared',
    open.map(({ id }) => id),
    now,
    ctx.me.agent_id,
  );
  for (const { command_id } of open) {
    await sql`update device_command set args = args - 'key' where id = ${command_id}`.execute(ctx.db);
    if (await cancelCommand(ctx.db, command_id, now)) continue;
    await sendCommand(ctx.db, deviceId, 'vno.clear', {}, { now, deadline: now + forgetS, by: ctx.me });
  }
};

export const clearTransfer: Handler<typeof calls.clear> = async (ctx, { ids }) =>
  eachOf(ctx, ids, await namesOf(ctx, ids, actionText), async (row, id) => {
    const device = await lockDevice(row, id);
    if (device.transfer_status === null) throw fail('transfer_none');
    await stop(row, id);
    await patchDevice(row, device, { transfer_status: null, next_key_hash: null });
    record(row, [`清除设备 ${deviceLabelOf(device)} 的转移状态`, `Cleared the transfer status of device ${deviceLabelOf(device)}`], {
      before: { transfer_status: device.transfer_status },
      after: { transfer_status: null },
      subject: subjectOf(id),
    });
  });
