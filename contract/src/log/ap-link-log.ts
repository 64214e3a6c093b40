import { calls } from '../kit/endpoint.ts';
import { bool, choice, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { rules } from '../rules.ts';
import { deviceFields } from './device-fields.ts';
import { lasted } from './link-log.ts';

export const apState = [
  { id: 'up', label: ['上线', 'Up'], color: 'green' },
  { id: 'offline', label: ['离线', 'Offline'], color: 'default' },
] as const;

export const apLog = resource({
  fields: {
    ...deviceFields,
    ap_name: text(['AP名称', 'AP'], { sort: true, match: 'code', max: 64 }),
    ap_mac: text(['AP MAC', 'AP MAC'], { match: 'code', mono: true, width: 160, rules: [rules.mac], max: 17 }),
    ap_ip: text(['AP IP', 'AP IP'], { mono: true, hiddenByDefault: true, width: 140 }),
    ap_state: choice(['AP状态', 'AP state'], apState),
    notified: bool(['已通知', 'Notified']),
    duration: { ...lasted, hiddenByDefault: true },
    create_at: time(['变化时间', 'Changed at'], { sort: true, months: limits.queryMonths }),
  },
  title: ['ap_name', 'device_name'],
  columns: ['device_name', 'sn', 'ap_name', 'ap_mac', 'ap_ip', 'ap_state', 'notified', 'duration', 'agent_name', 'create_at'],
  filters: ['device_id', 'ap_name', 'ap_mac', 'ap_state', 'create_at', 'sn', 'vno_id'],
  orderby: 'create_at desc',
});

export const apLinkLogCalls = calls('log', ['ap_link_log'], {
  list: { kind: 'list', path: 'ap/link_log', summary: ['查询AP链路日志', 'List AP up/offline changes'], resource: apLog },
});

export const apLinkLog = page({
  ...headOf('apLinkLog'),
  resource: apLog,
  list: apLinkLogCalls.list,
  forms: {},
  actions: {},
});
