import { calls } from '../kit/endpoint.ts';
import { choice, choices, pick, text } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { rules } from '../rules.ts';
import { apEvent, apState } from './choices.ts';
import { editRule, newRule, notifyFields, ruleActions, shownEmails } from './notify-fields.ts';

const fields = {
  ...notifyFields,
  ap_name: text(['AP名称', 'AP'], { tooltip: true }),
  ap_mac: text(['AP MAC', 'AP MAC'], { mono: true, width: 150 }),
  ap_state: choice(['AP状态', 'AP state'], apState),
  events: choices(['通知事件', 'Events'], apEvent, { required: true, noTruncate: true, width: 150 }),
};

export const apLinkNotificationResource = resource({
  fields: { ...fields, emails: shownEmails },
  title: ['ap_name', 'device_name'],
  columns: [
    'device_name',
    'sn',
    'ap_name',
    'ap_mac',
    'ap_state',
    'events',
    'emails',
    'status',
    'last_notify_at',
    'agent_name',
    'remark',
    'create_at',
  ],
  filters: ['device_id', 'sn', 'email', 'status', 'create_at', 'ap_mac', 'vno_id'],
  orderby: 'create_at desc',
});

const input = {
  device_id: fields.device_id,
  ap_mac: text(['AP MAC', 'AP MAC'], { rules: [rules.mac], max: 17, tips: ['留空表示全部AP', 'Empty means all APs'] }),
  ...pick(fields, 'events', 'emails', 'status', 'remark'),
};

export const apLinkNotificationCalls = calls('advanced', ['ap_link_notice'], {
  list: {
    kind: 'list',
    path: 'ap/link_notify',
    summary: ['查询AP链路通知', 'List AP link notifications'],
    resource: apLinkNotificationResource,
  },
  create: {
    kind: 'create',
    path: 'ap/link_notify',
    summary: ['新增AP链路通知', 'Create an AP link notification'],
    input,
    output: idOutput,
  },
  update: {
    kind: 'update',
    path: 'ap/link_notify/{id}',
    summary: ['修改AP链路通知', 'Change an AP link notification'],
    input,
    partial: true,
    versioned: true,
  },
  remove: { kind: 'delete', path: 'ap/link_notify/{id}', summary: ['删除AP链路通知', 'Delete an AP link notification'] },
});

export const apLinkNotice = page({
  ...headOf('apLinkNotice'),
  resource: apLinkNotificationResource,
  list: apLinkNotificationCalls.list,
  forms: { create: form(newRule, input), edit: form(editRule, input) },
  actions: ruleActions(apLinkNotificationCalls),
});
