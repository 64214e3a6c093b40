import { calls } from '../kit/endpoint.ts';
import { option, text, time } from '../kit/field.ts';
import { resource } from '../kit/resource.ts';
import { deviceAccess } from './device.ts';

/** Accounts for the login at the gateway itself. */
export const deviceAccount = resource({
  fields: {
    username: text(['网关账号', 'Gateway account'], { mono: true, width: 160 }),
    role_name: text(['权限角色', 'Role'], { tooltip: true, width: 160 }),
    last_login_at: time(['最近登录', 'Last login'], { sort: true }),
    update_at: time(['更新时间', 'Updated at'], { sort: true }),
  },
  title: ['username'],
  columns: ['username', 'role_name', 'last_login_at', 'update_at'],
  filters: [],
  orderby: 'username asc',
});

export const deviceAccountCalls = calls('device', deviceAccess, {
  list: {
    kind: 'list',
    path: 'device_account/info',
    summary: ['网关账号', 'Gateway accounts of a device'],
    resource: deviceAccount,
    input: { device_id: option(['设备', 'Device'], 'device/option', { required: true, hidden: true }) },
  },
});
