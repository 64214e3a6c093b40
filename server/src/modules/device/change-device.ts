import type { deviceCalls as calls } from '@farlink/contract/device/device.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { editDevice } from './edit-device.ts';
import { deviceLabelOf, lockDevice, namesOf, patchDevice, subjectOf } from './find-device.ts';
import { findGroup } from './group-of-device.ts';
import { replaceDevice } from './replace-device.ts';

export const changeDevice: Handler<typeof calls.change> = (ctx, input) =>
  input.operate === 'replace' ? replaceDevice(ctx, input) : editDevice(ctx, input);

const actionText: Text = ['设置设备组', 'Set the group of device'];

export const setGroups: Handler<typeof calls.setGroup> = async (ctx, { ids, device_group_id }) => {
  const group = await findGroup(ctx, device_group_id);
  return eachOf(ctx, ids, await namesOf(ctx, ids, actionText), async (row, id) => {
    const device = await lockDevice(row, id);
    if (device.agent_id !== group.agent_id) throw fail('group_other_vno');
    if (device.device_group_id === group.id) throw fail('unchanged');
    await patchDevice(row, device, { device_group_id: group.id });
    const name = deviceLabelOf(device);
    record(row, [`将设备 ${name} 移入设备组 ${group.name}`, `Moved device ${name} to group ${group.name}`], {
      before: { device_group_id: device.device_group_id },
      after: { device_group_id: group.id },
      subject: subjectOf(id),
    });
  });
};
