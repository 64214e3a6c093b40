import { linkState } from '../device/choices.ts';
import { calls } from '../kit/endpoint.ts';
import { choice, duration, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { network } from '../protocol/network.ts';
import { deviceFields } from './device-fields.ts';

/** The duration of a state is available when it ends. */
export const lasted = duration(['持续时长', 'Duration'], {
  sort: true,
  tips: ['当前状态结束后才有时长', 'Shown after the current state has ended'],
});

export const wanLinkLog = resource({
  fields: {
    ...deviceFields,
    link: text(['链路', 'Link'], { mono: true }),
    network: choice(['网络', 'Network'], network),
    link_state: choice(['链路状态', 'Link state'], linkState),
    ip: text(['链路IP', 'Link IP'], { mono: true, width: 140 }),
    duration: lasted,
    message: text(['说明', 'Description'], { tooltip: true, hiddenByDefault: true, width: 240 }),
    create_at: time(['变化时间', 'Changed at'], { sort: true, months: limits.queryMonths }),
  },
  title: ['device_name', 'link'],
  columns: ['device_name', 'sn', 'link', 'network', 'link_state', 'ip', 'duration', 'message', 'agent_name', 'create_at'],
  filters: ['device_id', 'sn', 'network', 'link_state', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});

export const linkLogCalls = calls('log', ['link_log'], {
  list: { kind: 'list', path: 'device/wan_link_log', summary: ['查询设备链路日志', 'List WAN link changes'], resource: wanLinkLog },
});

export const linkLog = page({
  ...headOf('linkLog'),
  resource: wanLinkLog,
  list: linkLogCalls.list,
  forms: {},
  actions: {},
});
