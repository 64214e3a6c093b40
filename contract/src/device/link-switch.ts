import { page, resource } from '../kit/resource.ts';
import { wanChangeCalls, wanChangeFields } from '../log/wan-change.ts';

const sent = resource({
  fields: wanChangeFields,
  columns: [
    'device_name',
    'sn',
    'from_link',
    'to_link',
    'network',
    'change_mode',
    'link_lock',
    'reason',
    'result',
    'operator',
    'agent_name',
    'create_at',
  ],
  filters: ['device_id', 'sn', 'change_mode', 'network', 'create_at', 'link_lock', 'result', 'vno_id'],
  orderby: 'create_at desc',
});

export const linkSwitchSend = page({
  key: 'linkSwitchSend',
  title: ['链路切换日志', 'Link switching log'],
  route: '/device/link-switch',
  permission: 'link_switch_send',
  resource: sent,
  list: wanChangeCalls.list,
  listParams: { source: 'send' },
  forms: {},
  actions: {},
});
