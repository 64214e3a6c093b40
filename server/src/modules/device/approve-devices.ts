import type { deviceCalls as calls } from '@farlink/contract/device/device.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { type Binding, binding } from '@farlink/gateway/protocol/authorization.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { deviceLabelOf, lockDevice, namesOf, patchDevice, subjectOf } from './find-device.ts';

interface Decision {
  readonly from: readonly Binding[];
  readonly to: Binding;
  readonly label: Text;
}

const decide = async (ctx: Ctx, ids: readonly number[], { from, to, label }: Decision) =>
  eachOf(ctx, ids, await namesOf(ctx, ids, label), async (row, id) => {
    const device = await lockDevice(row, id);
    if (!from.includes(device.status)) throw fail('not_waiting');
    await patchDevice(row, device, { status: to });
    record(row, [`${label[0]} ${deviceLabelOf(device)}`, `${label[1]} ${deviceLabelOf(device)}`], {
      before: { status: device.status },
      after: { status: to, hardware_id: device.hardware_id },
      subject: subjectOf(id),
    });
  });

/** The hardware that sent the request gets its key at its next enrolment request; other hardware does not. */
export const approveDevices: Handler<typeof calls.approve> = (ctx, { ids }) =>
  decide(ctx, ids, { from: [binding.waiting, binding.rejected], to: binding.normal, label: ['批准设备接入', 'Approved device'] });

export const rejectDevices: Handler<typeof calls.reject> = (ctx, { ids }) =>
  decide(ctx, ids, { from: [binding.waiting], to: binding.rejected, label: ['拒绝设备接入', 'Rejected device'] });
