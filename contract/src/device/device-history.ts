import { choice, text, time } from '../kit/field.ts';
import { resource } from '../kit/resource.ts';

export const eventKind = [
  { id: 'online', label: ['上线', 'Online'], color: 'green' },
  { id: 'offline', label: ['离线', 'Offline'], color: 'default' },
  { id: 'link', label: ['链路切换', 'Link change'], color: 'blue' },
  { id: 'fence', label: ['电子围栏', 'Fence'], color: 'purple' },
  { id: 'ap', label: ['AP状态', 'AP'], color: 'cyan' },
  { id: 'port', label: ['LAN口', 'LAN port'], color: 'geekblue' },
  { id: 'lock', label: ['链路锁定', 'Link lock'], color: 'gold' },
  { id: 'docker', label: ['容器', 'Container'], color: 'volcano' },
  { id: 'auth', label: ['用户认证', 'Sign-in of a user'], color: 'orange' },
  { id: 'user', label: ['用户上下线', 'User on or off'], color: 'default' },
  { id: 'bound', label: ['平台绑定', 'Platform binding'], color: 'lime' },
  { id: 'login', label: ['网关登录', 'Login at the gateway'], color: 'magenta' },
] as const;
export type DeviceEventKind = (typeof eventKind)[number]['id'];

/** Events reported by a gateway, newest first. */
export const deviceHistory = resource({
  fields: {
    at: time(['时间', 'Time'], { sort: true }),
    kind: choice(['事件', 'Event'], eventKind, { width: 140 }),
    content: text(['内容', 'What happened'], { tooltip: true, width: 460 }),
    reported_at: time(['网关时间', "By the gateway's clock"], { off: true }),
  },
  columns: ['at', 'kind', 'content', 'reported_at'],
  filters: ['kind', 'at'],
  orderby: 'at desc',
});
