import { deviceCalls as calls } from '@farlink/contract/device/device.ts';
import { groupCalls } from '@farlink/contract/device/group.ts';
import { linkStatusColorCalls } from '@farlink/contract/device/link-status-color.ts';
import { portalCalls } from '@farlink/contract/device/portal.ts';
import { bind } from '../../kit/http/serve.ts';
import { approveDevices, rejectDevices } from './approve-devices.ts';
import { authorizeDevices, liftSuspension } from './authorize.ts';
import { changeDevice, setGroups } from './change-device.ts';
import { createGroup, listGroups, readGroup, removeGroup, updateGroup } from './group.ts';
import { changeColor, listColors } from './link-status-color.ts';
import { deviceOptions, exportDevices, groupOptions, listDeviceExports, listDevices } from './list-devices.ts';
import { estimatePortal, listPortals, portalOptions, setPortals } from './portal.ts';
import { removeDevices } from './remove-devices.ts';
import { resetBindings } from './reset-binding.ts';

export const deviceBindings = [
  bind(calls.list, listDevices),
  bind(calls.change, changeDevice),
  bind(calls.setGroup, setGroups),
  bind(calls.authorize, authorizeDevices),
  bind(calls.liftSuspension, liftSuspension),
  bind(calls.setPortal, setPortals),
  bind(calls.approve, approveDevices),
  bind(calls.reject, rejectDevices),
  bind(calls.resetBinding, resetBindings),
  bind(calls.remove, removeDevices),
  bind(calls.export, exportDevices),
  bind(calls.exports, listDeviceExports),
  bind(calls.option, deviceOptions),
  bind(calls.groupOption, groupOptions),
  bind(groupCalls.list, listGroups),
  bind(groupCalls.read, readGroup),
  bind(groupCalls.create, createGroup),
  bind(groupCalls.update, updateGroup),
  bind(groupCalls.remove, removeGroup),
  bind(linkStatusColorCalls.list, listColors),
  bind(linkStatusColorCalls.update, changeColor),
  bind(portalCalls.list, listPortals),
  bind(portalCalls.option, portalOptions),
  bind(portalCalls.estimate, estimatePortal),
];
