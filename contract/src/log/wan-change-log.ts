import { changeMode, linkLock, linkState } from '../device/choices.ts';
import { calls } from '../kit/endpoint.ts';
import { choice, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { network } from '../protocol/network.ts';
import { opResult } from '../user/choices.ts';
import { deviceFields } from './device-fields.ts';

export const switchSource = [
  { id: 'send', label: ['平台下发', 'Sent by platform'], color: 'blue' },
  { id: 'wan', label: ['设备上报', 'Reported by device'], color: 'cyan' },
] as const;

/** Two pages share these records: switches ordered by the platform, and automatic switches of gateways. */
export const wanChangeLogFields = {
  ...deviceFields,
  from_link: text(['切换前链路', 'From link'], { mono: true, width: 100 }),
  to_link: text(['切换后链路', 'To link'], { mono: true, width: 100 }),
  network: choice(['切换后网络', 'Network'], network),
  link_state: choice(['链路状态', 'Link state'], linkState),
  change_mode: choice(['切换模式', 'Change mode'], changeMode, { width: 120 }),
  link_lock: choice(['链路锁定', 'Link lock'], linkLock, { hiddenByDefault: true, width: 190 }),
  source: choice(['来源', 'Source'], switchSource, { hiddenByDefault: true, width: 160 }),
  reason: text(['切换原因', 'Reason'], { tooltip: true, width: 190 }),
  result: choice(['结果', 'Result'], opResult),
  operator: text(['操作人', 'Operator'], { hiddenByDefault: true }),
  create_at: time(['切换时间', 'Switched at'], { sort: true, months: limits.queryMonths }),
};

const wanChange = resource({
  fields: wanChangeLogFields,
  title: ['device_name', 'to_link'],
  columns: [
    'device_name',
    'sn',
    'from_link',
    'to_link',
    'network',
    'link_state',
    'change_mode',
    'link_lock',
    'source',
    'reason',
    'result',
    'operator',
    'agent_name',
    'create_at',
  ],
  filters: ['device_id', 'sn', 'network', 'change_mode', 'create_at', 'link_state', 'link_lock', 'result', 'vno_id'],
  orderby: 'create_at desc',
});

export const wanChangeLogCalls = calls('log', ['link_switch_send', 'wan_change_log'], {
  list: {
    kind: 'list',
    path: 'device/wan_change',
    summary: ['查询链路切换', 'List link switches: sent by the platform, or reported by the device'],
    resource: wanChange,
    input: { source: choice(['来源', 'Source'], switchSource) },
  },
});

const reported = resource({
  fields: wanChangeLogFields,
  title: ['device_name', 'to_link'],
  columns: [
    'device_name',
    'sn',
    'from_link',
    'to_link',
    'network',
    'link_state',
    'change_mode',
    'source',
    'reason',
    'agent_name',
    'create_at',
  ],
  filters: ['device_id', 'sn', 'network', 'change_mode', 'create_at', 'link_state', 'vno_id'],
  orderby: 'create_at desc',
});

export const wanChangeLog = page({
  ...headOf('wanChangeLog'),
  resource: reported,
  list: wanChangeLogCalls.list,
  listParams: { source: 'wan' },
  forms: {},
  actions: {},
});
