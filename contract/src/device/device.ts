import { endpoint, shape } from '../kit/endpoint.ts';
import { int } from '../kit/field.ts';
import type { PermissionNode } from '../permission/role.ts';

export const deviceCalls = {
  option: endpoint({
    method: 'GET',
    path: 'device/option',
    kind: 'option',
    module: 'device',
    access: 'session',
    summary: ['设备选项', "Option list of devices, shown as 'name (sn)'"],
    shape: shape<Record<string, string>>(),
  }),
  groupOption: endpoint({
    method: 'GET',
    path: 'device/group/option',
    kind: 'option',
    module: 'device',
    access: 'session',
    summary: ['设备组选项', 'Option list of device groups'],
    shape: shape<Record<string, string>>(),
  }),
  gatewayPermissions: endpoint({
    method: 'GET',
    path: 'device_account/permissions',
    kind: 'tree',
    module: 'device',
    access: ['vno_role', 'role_manage', 'job_role'],
    summary: ['网关菜单权限清单', 'Gateway menu permission tree'],
    input: { role_id: int(['角色', 'Role']) },
    shape: shape<{ list: readonly PermissionNode[] }>(),
  }),
};
