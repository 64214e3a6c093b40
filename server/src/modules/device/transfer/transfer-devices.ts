import type { transferCalls as calls } from '@farlink/contract/device/transfer.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { capabilityNames } from '@farlink/contract/protocol/capability.ts';
import { requireVno } from '../../../domain/owners.ts';
import { logTransfers } from '../../../domain/transfer/log-transfer.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { eachOf } from '../../../kit/list/batch.ts';
import { record } from '../../../kit/log/record.ts';
import { hashToken } from '../../../kit/session/secret.ts';
import { sendCommand } from '../../../orders/command.ts';
import { newKey } from '../../../orders/device-key.ts';
import { type DeviceRow, deviceLabelOf, lockDevice, namesOf, patchDevice, subjectOf } from '../find-device.ts';
import { refuseTransfer, refuseUnreachable } from '../refuse.ts';

const actionText: Text = ['转移设备', 'Transfer device'];

const refuseUnfit = (ctx: Ctx, device: DeviceRow, to: number) => {
  refuseTransfer(device);
  if (device.agent_id === to) throw fail('transfer_to_itself', { fields: { vno_id: errors.transfer_to_itself.text } });
  refuseUnreachable(ctx, device);
  if (!device.caps.includes('transfer')) throw fail('gateway_too_old', { args: [capabilityNames.transfer] });
};

/** First half: the gateway gets a one-time key. The device stays with its VNO until the gateway uses it. */
export const transferDevices: Handler<typeof calls.transfer> = async (ctx, { ids, vno_id, keep_users, remark }) => {
  const to = await requireVno(ctx, vno_id);
  return eachOf(ctx, ids, await namesOf(ctx, ids, actionText), async (row, id) => {
    const device = await lockDevice(row, id);
    refuseUnfit(row, device, to.id);
    const now = row.now();
    const key = newKey();
    const deadline = now + limits.transferFailMinutes * 60;
    const command_id = await sendCommand(row.db, id, 'vno.transfer', { code: to.code, key }, { now, deadline, by: row.me });
    const transfer = await row.db
      .insertInto('device_transfer')
      .values({
        device_id: id,
        sn: device.sn,
        from_agent_id: device.agent_id,
        to_agent_id: to.id,
        keep_users: keep_users ?? true,
        remark: remark ?? null,
        command_id,
        deadline,
        operator: row.me.name,
        operator_agent_id: row.me.agent_id,
        create_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await logTransfers(row.db, 'start', [transfer.id], now, row.me.agent_id);
    await patchDevice(row, device, { transfer_status: 'transferring', next_key_hash: hashToken(key) });
    record(
      row,
      [`将设备 ${deviceLabelOf(device)} 转移到VNO ${to.name}`, `Started the transfer of device ${deviceLabelOf(device)} to VNO ${to.name}`],
      {
        before: { vno_id: device.agent_id },
        after: { vno_id: to.id, keep_users: keep_users ?? true, remark },
        subject: subjectOf(id),
      },
    );
  });
};
