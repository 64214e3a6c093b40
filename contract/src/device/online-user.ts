import { batchShape, ids } from '../kit/batch.ts';
import { calls } from '../kit/endpoint.ts';
import { bytes, choice, duration, option, speed, text, time } from '../kit/field.ts';
import type { Action } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { references } from '../references.ts';
import { deviceAccess } from './device.ts';

const sessionState = [
  { id: 'online', label: ['在线', 'Online'], color: 'green', point: true },
  { id: 'kicking', label: ['下线中', 'Being kicked off'], color: 'processing', point: true },
] as const;

/** Subscribers online behind a gateway. */
export const onlineUser = resource({
  fields: {
    account: text(['上网账号', 'Online account'], { mono: true, tooltip: true, width: 150, to: references.account }),
    name: text(['姓名', 'Full name'], { width: 100 }),
    state: choice(['状态', 'State'], sessionState, { width: 130 }),
    ip: text(['IP地址', 'IP address'], { mono: true, width: 130 }),
    mac: text(['MAC地址', 'MAC address'], { mono: true, width: 150 }),
    login_at: time(['上线时间', 'Online since'], { sort: true }),
    duration: duration(['在线时长', 'Duration'], { sort: true, width: 130 }),
    up_bytes: bytes(['上行流量', 'Up'], { sort: true, width: 100 }),
    down_bytes: bytes(['下行流量', 'Down'], { sort: true, width: 100 }),
    up_speed: speed(['上行速率', 'Up speed'], { hiddenByDefault: true }),
    down_speed: speed(['下行速率', 'Down speed'], { hiddenByDefault: true }),
  },
  title: ['account', 'name'],
  columns: ['account', 'name', 'state', 'ip', 'mac', 'login_at', 'duration', 'up_bytes', 'down_bytes', 'up_speed', 'down_speed'],
  filters: [],
  orderby: 'login_at desc',
});

export const onlineUserCalls = calls('device', deviceAccess, {
  list: {
    kind: 'list',
    path: 'device/online_user',
    summary: ['设备在线用户', 'Online users of a device'],
    resource: onlineUser,
    input: { device_id: option(['设备', 'Device'], 'device/option', { required: true, hidden: true }) },
  },
  kick: {
    kind: 'command',
    path: 'device/online_user/kick',
    summary: ['强制设备在线用户下线', 'Kick online users off a device'],
    input: { ids },
    shape: batchShape,
  },
});

export const onlineUserActions = {
  kick: {
    on: 'row',
    label: ['强制下线', 'Kick offline'],
    call: onlineUserCalls.kick,
    danger: true,
    confirm: ['该用户将立即断网，之后可重新登录。确定强制下线吗？', 'The user is disconnected at once and can log in again. Kick offline?'],
    done: ['已通知网关，用户下线后将从列表移除', 'Request sent. The user leaves the list when offline.'],
    when: (row) => row.state === 'online',
    why: ['已通知网关，等待其确认', 'Request sent, waiting for the gateway to confirm'],
  },
} as const satisfies Record<string, Action>;
