import { type Action, form } from '../kit/page.ts';
import type { AnyRow } from '../kit/resource.ts';
import type { Text } from '../kit/text.ts';
import type { Values } from '../kit/values.ts';
import { accountStatus } from './choices.ts';
import { extendInput, forbidInput, passwdInput, renewalInput, shutdownInput, userCalls } from './user.ts';
import { bindingFields, policyAction } from './user-fields.ts';

/** Menu entries of an account that group several actions. */
const userActionGroups = {
  status: ['账号状态', 'Account status'],
  settings: ['账号设置', 'Account settings'],
} as const satisfies Record<string, Text>;

/** spec §5: closing it clears the policy configuration of the user. */
export const closesPolicy: Text = [
  '关闭自定义策略将清空该用户的策略配置，是否继续？',
  'Closing the custom policy clears the configuration of the user. Continue?',
];

/** Forms of account actions, for the list and the detail page. Conditions follow the state machine. */
export const userForms = {
  forbid: form(['启用/禁用账号', 'Enable or disable accounts'], forbidInput),
  extend: form(['延长到期时间', 'Extend expiry'], extendInput),
  shutdown: form(['预约停机', 'Reserve shutdown'], shutdownInput),
  passwd: form(['重置上网密码', 'Reset internet password'], passwdInput),
  device: form(['变更绑定设备', 'Change bound device'], bindingFields),
  renewal: form(['自动续订', 'Automatic renewal'], renewalInput),
  policy: {
    ...form(['自定义策略', 'Custom policy'], policyAction),
    confirm: (v: Values) => (v.custom_policy === 0 ? closesPolicy : undefined),
  },
};

const mayMove = (move: Parameters<typeof accountStatus.can>[0]) => (row: AnyRow) => accountStatus.can(move, row.status);

export const userActions = {
  edit: { on: 'row', label: ['编辑', 'Edit'], to: '/user/mod/:id' },
  forbid: {
    on: 'batch',
    label: ['启用/禁用', 'Enable or disable'],
    call: userCalls.forbid,
    form: 'forbid',
    when: (row) => row.status !== 'expired',
    why: ['已过期账号不能启用或禁用，请先延长到期时间', 'An expired account cannot be enabled or disabled. Extend its expiry first.'],
  },
  enable: {
    on: 'row',
    label: ['启用', 'Enable'],
    group: userActionGroups.status,
    call: userCalls.forbid,
    params: { operate: 'enable' },
    confirm: ['确定启用该账号吗？', 'Enable this account?'],
    when: mayMove('enable'),
    why: ['仅禁用或冻结的账号可以启用', 'Only a disabled or frozen account can be enabled'],
  },
  disable: {
    on: 'row',
    label: ['禁用', 'Disable'],
    group: userActionGroups.status,
    call: userCalls.forbid,
    params: { operate: 'disable' },
    danger: true,
    confirm: ['确定禁用该账号吗？禁用后在线用户将被强制下线。', 'Disable this account? An online user will be kicked off.'],
    when: mayMove('disable'),
    why: ['仅正常、停机或停机保号的账号可以禁用', 'Only an account that is normal, shut down or reserved can be disabled'],
  },
  freeze: {
    on: 'row',
    label: ['冻结', 'Freeze'],
    group: userActionGroups.status,
    call: userCalls.forbid,
    params: { operate: 'freeze' },
    confirm: ['确定冻结该账号吗？冻结后在线用户将被强制下线。', 'Freeze this account? An online user will be kicked off.'],
    when: mayMove('freeze'),
    why: ['仅正常账号可以冻结', 'Only a normal account can be frozen'],
  },
  extend: {
    on: 'both',
    label: ['延长到期时间', 'Extend expiry'],
    group: userActionGroups.settings,
    call: userCalls.extend,
    form: 'extend',
  },
  shutdown: {
    on: 'both',
    label: ['预约停机', 'Reserve shutdown'],
    group: userActionGroups.status,
    call: userCalls.shutdown,
    form: 'shutdown',
    when: mayMove('reserve'),
    why: ['仅正常或停机的账号可以预约停机', 'A shutdown can be reserved only for accounts that are normal or shut down'],
  },
  reopen: {
    on: 'both',
    label: ['撤销停机', 'Withdraw shutdown'],
    group: userActionGroups.status,
    call: userCalls.reopen,
    confirm: [
      '确定撤销所选账号的停机吗？已停机的账号将恢复使用。',
      'Withdraw the shutdown of the selected accounts? Accounts already shut down are restored.',
    ],
    when: (row) => row.status === 'reserved_shutdown' || (row.shutdown_at ?? null) !== null,
    why: ['仅已预约停机或停机保号的账号可以撤销', 'Only a reserved shutdown can be withdrawn'],
  },
  passwd: { on: 'both', label: ['重置密码', 'Reset password'], group: userActionGroups.settings, call: userCalls.passwd, form: 'passwd' },
  device: {
    on: 'both',
    label: ['变更绑定设备', 'Change bound device'],
    group: userActionGroups.settings,
    call: userCalls.device,
    form: 'device',
  },
  policy: { on: 'both', label: ['自定义策略', 'Custom policy'], group: userActionGroups.settings, call: userCalls.policy, form: 'policy' },
  renewal: {
    on: 'both',
    label: ['自动续订', 'Automatic renewal'],
    group: userActionGroups.settings,
    call: userCalls.renewal,
    form: 'renewal',
    when: (row) => row.account_type !== 'job',
    why: ['工作账号不能续订', 'Job accounts are not renewed'],
  },
  kick: {
    on: 'both',
    label: ['强制下线', 'Kick offline'],
    group: userActionGroups.status,
    call: userCalls.kick,
    confirm: ['确定将所选用户强制下线吗？', 'Kick the selected users offline?'],
    when: (row) => row.online_state === 1,
    why: ['仅在线用户可以强制下线', 'Only online users can be kicked offline'],
  },
  delete: {
    on: 'both',
    label: ['删除', 'Delete'],
    call: userCalls.remove,
    preview: userCalls.removal,
    danger: true,
    confirm: ['删除后不可恢复，确定删除所选账号吗？', 'Deleted accounts cannot be restored. Delete the selected accounts?'],
    when: mayMove('remove'),
    why: ['仅已过期或禁用的账号可以删除', 'Only an expired or disabled account can be deleted'],
  },
} as const satisfies Record<string, Action>;
