import type { deviceCalls as calls } from '@farlink/contract/device/device.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { binding } from '@farlink/gateway/protocol/authorization.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { resetBinding } from '../../orders/reset-binding.ts';
import { deviceLabelOf, lockDevice, namesOf, patchDevice, subjectOf } from './find-device.ts';
import { refuseTransfer } from './refuse.ts';

const actionText: Text = ['重置设备绑定', 'Reset the binding of device'];

/** Resolves a refused enrolment: the next gateway with the merchant code gets a key, and the old key is void. */
export const resetBindings: Handler<typeof calls.resetBinding> = async (ctx, { ids }) =>
  eachOf(ctx, ids, await namesOf(ctx, ids, actionText), async (row, id) => {
    const device = await lockDevice(row, id);
    if (device.status !== binding.reset && device.status !== binding.repeated) throw fail('binding_normal');
    refuseTransfer(device);
    await resetBinding(row.db, id);
    await patchDevice(row, device, {});
    record(row, [`重置设备 ${deviceLabelOf(device)} 的绑定`, `Reset the binding of device ${deviceLabelOf(device)}`], {
      before: { status: device.status, hardware_id: device.hardware_id },
      after: { status: binding.normal },
      subject: subjectOf(id),
    });
  });
