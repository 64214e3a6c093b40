import { deviceCalls as calls } from '@farlink/contract/device/device.ts';
import { groupCalls } from '@farlink/contract/device/group.ts';
import { linkStatusColorCalls } from '@farlink/contract/device/link-status-color.ts';
import { devicePortalCalls } from '@farlink/contract/device/portal.ts';
import { bindAll } from '../../kit/http/serve.ts';
import { approveDevices, rejectDevices } from './approve-devices.ts';
import { authorizeDevices, liftSuspension } from './authorize.ts';
import { changeDevice, setGroups } from './change-device.ts';
import { createGroup, listGroups, readGroup, removeGroup, updateGroup } from './group.ts';
import { changeColor, listColors } from './link-status-color.ts';
import { deviceOptions, exportDevices, groupOptions, listDeviceExports, listDevices } from './list-devices.ts';
import { estimatePortal, portalOptions, setPortals } from './portal.ts';
import { previewRemoval } from './preview-removal.ts';
import { removeDevices } from './remove-devices.ts';
import { resetBindings } from './reset-binding.ts';

export const deviceBindings = [
  ...bindAll(calls, {
    list: listDevices,
    change: changeDevice,
    setGroup: setGroups,
    authorize: authorizeDevices,
    liftSuspension,
    setPortal: setPortals,
    approve: approveDevices,
    reject: rejectDevices,
    resetBinding: resetBindings,
    remove: removeDevices,
    removal: previewRemoval,
    export: exportDevices,
    exports: listDeviceExports,
    option: deviceOptions,
    groupOption: groupOptions,
  }),
  ...bindAll(groupCalls, { list: listGroups, read: readGroup, create: createGroup, update: updateGroup, remove: removeGroup }),
  ...bindAll(linkStatusColorCalls, { list: listColors, update: changeColor }),
  ...bindAll(devicePortalCalls, { option: portalOptions, estimate: estimatePortal }),
];
