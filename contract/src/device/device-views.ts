import type { Action } from '../kit/page.ts';
import { deviceActionGroups } from './action-groups.ts';
import { deviceAccountCalls } from './device-account.ts';
import { loadCalls } from './load.ts';
import { onlineUserCalls } from './online-user.ts';

/** Views of one device in the list; the detail page shows them as tabs. */
export const deviceViews = {
  detail: { on: 'row', label: ['详情', 'Details'], to: '/device/detail/:id' },
  gateway: { on: 'row', label: ['网关配置', 'Configuration'], to: '/device/gateway-config/:id' },
  restart: {
    on: 'row',
    label: ['重启', 'Restart'],
    group: deviceActionGroups.remote,
    to: '/device/gateway-config/:id?page=advanced_reboot',
    when: (row) => row.online_state === 1,
    why: ['设备须在线', 'The device must be online'],
  },
  onlineUser: {
    on: 'row',
    label: ['在线用户', 'Online users'],
    group: deviceActionGroups.view,
    call: onlineUserCalls.list,
    params: { device_id: ':id' },
  },
  load: {
    on: 'row',
    label: ['设备负载', 'Load'],
    group: deviceActionGroups.view,
    call: loadCalls.series,
    when: (row) => row.online_state === 1,
    why: ['设备须在线', 'The device must be online'],
  },
  account: {
    on: 'row',
    label: ['网关账号', 'Gateway account'],
    group: deviceActionGroups.view,
    call: deviceAccountCalls.list,
    params: { device_id: ':id' },
  },
} as const satisfies Record<string, Action>;
