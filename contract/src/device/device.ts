import { exportInput, exportJob } from '../export/export.ts';
import { batchIds, batchShape, ids } from '../kit/batch.ts';
import { endpoint, shape } from '../kit/endpoint.ts';
import { choice } from '../kit/field.ts';
import { lookupInput, subjectInput } from '../kit/lookup.ts';
import { idOutput } from '../permission/customer.ts';
import { authFields, editFields, groupField, liftFields, portalFields, replaceFields } from './device-fields.ts';
import { device } from './device-resource.ts';

const list = ['device_list'] as const;
/** Permissions for actions that the list and the detail page share. */
export const deviceAccess = ['device_list', 'device_detail'] as const;

const operate = [
  { id: 'edit', label: ['编辑', 'Edit'] },
  { id: 'replace', label: ['更换设备', 'Replace'] },
] as const;

export const deviceCalls = {
  list: endpoint({
    method: 'GET',
    path: 'device',
    kind: 'list',
    module: 'device',
    access: list,
    summary: ['查询设备', 'List devices'],
    resource: device,
  }),
  change: endpoint({
    method: 'PUT',
    path: 'device/mod/{id}',
    kind: 'update',
    module: 'device',
    access: deviceAccess,
    summary: ['修改或更换设备', 'Change or replace one device'],
    input: {
      operate: choice(['操作', 'Deed'], operate, { default: 'edit' }),
      ...editFields,
      new_sn: replaceFields.new_sn,
      keep_users: replaceFields.keep_users,
    },
    partial: true,
    versioned: true,
  }),
  setGroup: endpoint({
    method: 'PUT',
    path: 'device/mod',
    kind: 'update',
    module: 'device',
    access: list,
    summary: ['设置设备组', 'Set the group of devices'],
    input: { ids, ...groupField },
    shape: batchShape,
  }),
  authorize: endpoint({
    method: 'POST',
    path: 'device/auth',
    kind: 'command',
    module: 'device',
    access: deviceAccess,
    summary: ['修改设备授权', 'Modify the authorization of devices'],
    input: { ids, ...authFields },
    shape: batchShape,
  }),
  liftSuspension: endpoint({
    method: 'POST',
    path: 'device/auth/lift',
    kind: 'command',
    module: 'device',
    access: deviceAccess,
    summary: ['解除设备授权暂停', 'Lift the authorization suspension of devices'],
    input: { ids, ...liftFields },
    shape: batchShape,
  }),
  setPortal: endpoint({
    method: 'POST',
    path: 'device/portal',
    kind: 'command',
    module: 'device',
    access: deviceAccess,
    summary: ['设置设备门户', 'Assign a portal to devices'],
    input: { ids, portal_id: portalFields.portal_id },
    shape: batchShape,
  }),
  resetBinding: endpoint({
    method: 'POST',
    path: 'device/reset_binding',
    kind: 'command',
    module: 'device',
    access: deviceAccess,
    summary: ['重置设备绑定', 'Reset the binding of devices'],
    input: { ids },
    shape: batchShape,
  }),
  approve: endpoint({
    method: 'POST',
    path: 'device/approve',
    kind: 'command',
    module: 'device',
    access: deviceAccess,
    summary: ['批准设备接入', 'Approve new devices'],
    input: { ids },
    shape: batchShape,
  }),
  reject: endpoint({
    method: 'POST',
    path: 'device/reject',
    kind: 'command',
    module: 'device',
    access: deviceAccess,
    summary: ['拒绝设备接入', 'Reject new devices'],
    input: { ids },
    shape: batchShape,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: 'device/delete',
    kind: 'delete',
    module: 'device',
    access: deviceAccess,
    summary: ['删除设备', 'Delete devices'],
    input: { ids },
    shape: batchShape,
  }),
  export: endpoint({
    method: 'POST',
    path: 'device/export',
    kind: 'export',
    module: 'device',
    access: list,
    summary: ['导出设备', 'Export devices'],
    resource: device,
    input: exportInput,
    output: idOutput,
  }),
  exports: endpoint({
    method: 'GET',
    path: 'device/export',
    kind: 'list',
    module: 'device',
    access: list,
    summary: ['设备导出记录', 'Export jobs of devices'],
    resource: exportJob,
  }),
  option: endpoint({
    method: 'GET',
    path: 'device/option',
    kind: 'option',
    module: 'device',
    access: 'session',
    summary: ['设备选项', "Option list of devices, shown as 'name (sn)'"],
    // All devices of a group belong to one VNO, so the chosen devices narrow the rest.
    input: { ...lookupInput, ...subjectInput, device_ids: batchIds },
    shape: shape<Record<string, string>>(),
  }),
  groupOption: endpoint({
    method: 'GET',
    path: 'device/group/option',
    kind: 'option',
    module: 'device',
    access: 'session',
    summary: ['设备组选项', 'Option list of device groups'],
    input: { ...lookupInput, ...subjectInput },
    shape: shape<Record<string, string>>(),
  }),
};
