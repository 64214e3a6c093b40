import { exportInput, exportJob, exportOutput } from '../export/export.ts';
import { batchIds, batchShape, ids } from '../kit/batch.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice } from '../kit/field.ts';
import { lookupInput, subjectInput } from '../kit/lookup.ts';
import type { PreviewNote } from '../kit/page.ts';
import { authFields, editFields, groupField, liftFields, portalFields, replaceFields } from './device-fields.ts';
import { device } from './device-resource.ts';

const list = ['device_list'] as const;
/** Permissions for actions that the list and the detail page share. */
export const deviceAccess = ['device_list', 'device_detail'] as const;

const operate = [
  { id: 'edit', label: ['编辑', 'Edit'] },
  { id: 'replace', label: ['更换设备', 'Replace'] },
] as const;

export const deviceCalls = calls('device', deviceAccess, {
  list: { kind: 'list', path: 'device', access: list, summary: ['查询设备', 'List devices'], resource: device },
  change: {
    kind: 'update',
    path: 'device/mod/{id}',
    summary: ['修改或更换设备', 'Change or replace one device'],
    input: {
      operate: choice(['操作', 'Operation'], operate, { default: 'edit' }),
      ...editFields,
      new_sn: replaceFields.new_sn,
      keep_users: replaceFields.keep_users,
    },
    partial: true,
    versioned: true,
  },
  setGroup: {
    kind: 'update',
    path: 'device/mod',
    access: list,
    summary: ['设置设备组', 'Set the group of devices'],
    input: { ids, ...groupField },
    shape: batchShape,
  },
  authorize: {
    kind: 'command',
    path: 'device/auth',
    summary: ['修改设备授权', 'Modify the authorization of devices'],
    input: { ids, ...authFields },
    shape: batchShape,
  },
  liftSuspension: {
    kind: 'command',
    path: 'device/auth/lift',
    summary: ['解除设备授权暂停', 'Lift the authorization suspension of devices'],
    input: { ids, ...liftFields },
    shape: batchShape,
  },
  setPortal: {
    kind: 'command',
    path: 'device/portal',
    summary: ['设置设备门户', 'Assign a portal to devices'],
    input: { ids, portal_id: portalFields.portal_id },
    shape: batchShape,
  },
  resetBinding: {
    kind: 'command',
    path: 'device/reset_binding',
    summary: ['重置设备绑定', 'Reset the binding of devices'],
    input: { ids },
    shape: batchShape,
  },
  approve: { kind: 'command', path: 'device/approve', summary: ['批准设备接入', 'Approve new devices'], input: { ids }, shape: batchShape },
  reject: { kind: 'command', path: 'device/reject', summary: ['拒绝设备接入', 'Reject new devices'], input: { ids }, shape: batchShape },
  remove: { kind: 'delete', path: 'device/delete', summary: ['删除设备', 'Delete devices'], input: { ids }, shape: batchShape },
  removal: {
    kind: 'tree',
    path: 'device/delete/preview',
    summary: ['删除设备的影响', 'Effect of deleting devices'],
    input: { ids },
    shape: shape<{ readonly notes: readonly PreviewNote[] }>(),
  },
  export: {
    kind: 'export',
    path: 'device/export',
    access: list,
    summary: ['导出设备', 'Export devices'],
    resource: device,
    input: exportInput,
    output: exportOutput,
  },
  exports: { kind: 'list', path: 'device/export', access: list, summary: ['设备导出记录', 'Export jobs of devices'], resource: exportJob },
  option: {
    kind: 'option',
    path: 'device/option',
    access: 'session',
    summary: ['设备选项', "Option list of devices, shown as 'name (sn)'"],
    // All devices of a group belong to one VNO, so the chosen devices narrow the rest.
    input: { ...lookupInput, ...subjectInput, device_ids: batchIds },
    shape: shape<Record<string, string>>(),
  },
  groupOption: {
    kind: 'option',
    path: 'device/group/option',
    access: 'session',
    summary: ['设备组选项', 'Option list of device groups'],
    input: { ...lookupInput, ...subjectInput },
    shape: shape<Record<string, string>>(),
  },
});
