import { calls } from '../kit/endpoint.ts';
import { choices, pick } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { notifyEvent } from './choices.ts';
import { editRule, newRule, notifyFields, ruleActions, shownEmails } from './notify-fields.ts';

const fields = {
  ...notifyFields,
  events: choices(['通知事件', 'Events'], notifyEvent, { required: true, noTruncate: true, width: 230 }),
};

export const deviceStatusNotifyResource = resource({
  fields: { ...fields, emails: shownEmails },
  title: ['device_name', 'agent_name'],
  columns: ['device_name', 'sn', 'events', 'emails', 'status', 'last_notify_at', 'agent_name', 'remark', 'create_at'],
  filters: ['device_id', 'sn', 'email', 'status', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});

const input = pick(fields, 'device_id', 'events', 'emails', 'status', 'remark');

export const deviceStatusNotifyCalls = calls('advanced', ['device_status_notify'], {
  list: {
    kind: 'list',
    path: 'device/device_status_notify',
    summary: ['查询设备状态通知', 'List device status notifications'],
    resource: deviceStatusNotifyResource,
  },
  create: {
    kind: 'create',
    path: 'device/device_status_notify',
    summary: ['新增设备状态通知', 'Create a device status notification'],
    input,
    output: idOutput,
  },
  update: {
    kind: 'update',
    path: 'device/device_status_notify/{id}',
    summary: ['修改设备状态通知', 'Change a device status notification'],
    input,
    partial: true,
    versioned: true,
  },
  remove: {
    kind: 'delete',
    path: 'device/device_status_notify/{id}',
    summary: ['删除设备状态通知', 'Delete a device status notification'],
  },
});

export const deviceStatusNotify = page({
  ...headOf('deviceStatusNotify'),
  resource: deviceStatusNotifyResource,
  list: deviceStatusNotifyCalls.list,
  forms: { create: form(newRule, input), edit: form(editRule, input) },
  actions: ruleActions(deviceStatusNotifyCalls),
});
