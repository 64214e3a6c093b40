import { remoteActions } from '../device/remote.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bool, choice, grants, int, option, text } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import type { PermissionNode } from '../permission/role.ts';

/** Page rights of a gateway account. */

export const pageGrant = [
  { id: '11', label: ['可操作', 'Operable'], color: 'green' },
  { id: '10', label: ['仅查看', 'Show only'], color: 'blue' },
  { id: '00', label: ['不可见', 'Invisible'], color: 'default' },
] as const;

export interface GatewayAccount {
  readonly id: number;
  readonly username: string;
  readonly role_id: number | null;
  readonly role_name: string | null;
  /** Used to detect a concurrent change. */
  readonly version: number;
}

/** The menu of a gateway, limited to the rights of the session, with the grants of a role or an account. */
export interface GatewayGrants {
  readonly list: readonly PermissionNode[];
  /** If a device is given: its accounts, and the account of these grants; null: it has none yet. */
  readonly accounts?: readonly GatewayAccount[];
  readonly account?: GatewayAccount | null;
}

const access = ['gateway_config', 'device_list'] as const;
const device_id = option(['设备', 'Device'], 'device/option', { required: true, hidden: true });
const account_id = int(['网关账号', 'Gateway account'], { hidden: true });

const permissionForm = form(
  ['网关账号权限', 'Gateway account permissions'],
  {
    role_id: option(['权限角色', 'Role'], 'customer/role/option', {
      tips: ['选择角色将套用其网关菜单权限', 'Applies the gateway menu permissions of the role'],
    }),
    read_all: bool(['全部可查看', 'Read all'], { default: false }),
    write_all: bool(['全部可操作', 'Write all'], { default: false }),
    permissions: grants(['网关菜单权限', 'Gateway menu permissions'], 'device_account/permissions', { required: true }),
  },
  860,
);

export const gatewayAccountCalls = calls('device', ['vno_role', 'role_manage', 'job_role', ...access], {
  /** Grants of a role for the role editor, or of a gateway account for this page. */
  grants: {
    kind: 'tree',
    path: 'device_account/permissions',
    summary: ['网关菜单权限清单', 'Gateway menu permission tree'],
    input: {
      role_id: int(['角色', 'Role']),
      device_id: option(['设备', 'Device'], 'device/option', { hidden: true }),
      account_id,
    },
    shape: shape<GatewayGrants>(),
  },
  /** Saves the grants of `account_id`; by default the only account, or `admin`, which is created if missing. */
  save: {
    kind: 'update',
    path: 'device_account/permissions',
    access,
    summary: ['保存网关账号权限', 'Save the gateway menu permissions of a device account'],
    input: { ...permissionForm.fields, device_id, account_id },
  },
});

export const gatewayConfig = page({
  ...headOf('gatewayConfig'),
  resource: resource({
    fields: {
      name: text(['菜单', 'Menu'], { width: 240 }),
      key: text(['权限标识', 'Permission key'], { mono: true, width: 220 }),
      permission: choice(['权限', 'Permission'], pageGrant, { width: 120 }),
    },
    title: ['name'],
    columns: ['name', 'key', 'permission'],
    filters: [],
    orderby: 'key asc',
  }),
  list: gatewayAccountCalls.grants,
  forms: { permission: permissionForm },
  actions: {
    save: {
      on: 'toolbar',
      label: ['保存权限', 'Save permissions'],
      call: gatewayAccountCalls.save,
      form: 'permission',
      done: ['权限已保存，网关确认后生效', 'Permissions saved. They take effect when the gateway confirms.'],
    },
    router: { ...remoteActions.router, on: 'toolbar', label: ['打开网关', 'Open gateway'] },
  },
});
