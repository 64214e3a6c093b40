/** Events of a gateway. */
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
  { id: 'release', label: ['临时放行', 'Temporary release'], color: 'geekblue' },
  { id: 'bound', label: ['平台绑定', 'Platform binding'], color: 'lime' },
  { id: 'login', label: ['网关登录', 'Login at the gateway'], color: 'magenta' },
  { id: 'danger', label: ['拦截危险网站', 'Blocked website'], color: 'red' },
  { id: 'traffic', label: ['流量核对', 'Traffic check'], color: 'red' },
] as const;
export type DeviceEventKind = (typeof eventKind)[number]['id'];

/** The console itself writes these; gateways report the others. */
export type EventKind = Exclude<DeviceEventKind, 'online' | 'offline' | 'traffic'>;
