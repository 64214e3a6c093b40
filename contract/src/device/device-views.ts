import type { Action } from '../kit/resource.ts';
import { deviceAccountCalls } from './device-account.ts';
import { loadCalls } from './load.ts';
import { onlineUserCalls } from './online-user.ts';

/** What the list of devices shows of one beside it; the page of the device shows the same in its tabs. */
export const deviceViews = {
  detail: { on: 'row', label: ['详情', 'Details'], to: '/device/detail/:id' },
  gateway: { on: 'row', label: ['网关配置菜单', 'Gateway menu'], to: '/device/gateway-config/:id' },
  onlineUser: { on: 'row', label: ['在线用户', 'Online users'], call: onlineUserCalls.list, params: { device_id: ':id' } },
  load: {
    on: 'row',
    label: ['设备负载', 'Load'],
    call: loadCalls.series,
    when: (row) => row.online_state === 1,
    why: ['设备须在线', 'The device must be online'],
  },
  account: { on: 'row', label: ['网关账号', 'Gateway account'], call: deviceAccountCalls.list, params: { device_id: ':id' } },
} as const satisfies Record<string, Action>;
