import { exportInput, exportJob, exportOutput } from '../export/export.ts';
import { batchShape, ids } from '../kit/batch.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bool, choice, date, int, longText, money, option, password, pick, text, variant } from '../kit/field.ts';
import { lookupInput } from '../kit/lookup.ts';
import { idOutput } from '../permission/customer.ts';
import { rules } from '../rules.ts';
import { accountAction, autoRenew } from './choices.ts';
import { quoteOf } from './quote.ts';
import {
  accountFields,
  bindingFields,
  identityFields,
  knownIdentityFields,
  loginInput,
  policyAction,
  policySwitch,
  remarkField,
} from './user-fields.ts';
import { onlineRecord, rejection, user } from './user-resource.ts';

/** Edit form of an account. The opening configuration decides whether the ID number is required. */
export const editInput = {
  ...knownIdentityFields,
  id_number: variant(knownIdentityFields.id_number, { requiredWhen: undefined }),
  photo_remove: bool(['移除现有照片', 'Remove the current photo'], { default: false }),
  ...loginInput,
  package_id: option(['套餐', 'Package'], 'package/offer', {
    lookupBy: ['bind_type', 'device_id', 'device_group_id', 'account_type'],
    tips: [
      '工作账号的套餐不收费；选择后立即替换当前套餐，不选择则保持不变',
      'The package of a job account is free of charge. A selected one replaces the current one at once; empty keeps it.',
    ],
  }),
  ...policySwitch,
  ...remarkField,
};

export const forbidInput = {
  operate: choice(['操作', 'Action'], accountAction, { required: true, default: 'disable' }),
  remark: longText(['原因', 'Reason'], { rules: [rules.free_512], max: 512 }),
};
export const passwdInput = {
  password: password(['新密码', 'New password'], { required: true, rules: [rules.internet_password], max: 18 }),
  repassword: accountFields.repassword,
};

export const shutdownInput = {
  shutdown_at: date(['停机日期', 'Shutdown date'], {
    required: true,
    start: true,
    tips: [
      '当日零点（UTC+8）起停机保号，在线用户将被强制下线',
      'The account is shut down at 00:00 (UTC+8) on that day; online users are kicked offline',
    ],
  }),
  remark: forbidInput.remark,
};

export const renewalInput = {
  auto_renew: choice(user.fields.auto_renew.label, autoRenew, {
    required: true,
    default: 1,
    tips: [
      '套餐到期或用尽后，用账户余额自动续订；余额不足时短信通知用户',
      'A package that has ended or is used up is renewed from the balance. The subscriber gets an SMS if the balance is short.',
    ],
  }),
};

const extendMode = [
  { id: 'days', label: ['增加天数', 'Add days'] },
  { id: 'until', label: ['指定日期', 'Set a date'] },
] as const;
export const extendInput = {
  mode: choice(['延期方式', 'Extend by'], extendMode, { required: true, default: 'days' }),
  days: int(['天数', 'Days'], {
    required: true,
    rules: [rules.number_range(1, 3650)],
    when: (v) => v.mode === 'days',
    tips: ['从原到期时间起计算，已过期的从今天起计算', 'Counted from the current expiry, or from today if it has passed'],
  }),
  expire_at: date(['新的到期时间', 'New expiry date'], { required: true, quickYears: true, blank: true, when: (v) => v.mode === 'until' }),
  remark: forbidInput.remark,
};

const revealable = [
  { id: 'phone', label: user.fields.phone.label },
  { id: 'id_number', label: user.fields.id_number.label },
  { id: 'password', label: accountFields.password.label },
] as const;

const kickSource = [{ id: 'aaa', label: ['AAA', 'AAA'] }] as const;

const one = ['user_list', 'user_detail'] as const;
/** Price of the unused packages that the deletion loses, as the operator has read it. */
const forfeit = money(['放弃的金额', 'Amount given up'], { rules: [rules.price_or_zero], hidden: true });

const withTemp = [...one, 'user_temp'] as const;

export const userCalls = calls('user', one, {
  list: { kind: 'list', path: 'user', access: ['user_list'], summary: ['查询用户', 'List user accounts'], resource: user },
  read: {
    kind: 'detail',
    path: 'user/{id}',
    access: [...one, 'user_mod', 'user_temp'],
    summary: ['查看用户', 'Read one user'],
    output: {
      ...pick(user.fields, ...user.columns),
      ...pick(bindingFields, 'bind_type', 'device_id', 'device_group_id'),
      ...pick(user.fields, 'package_id'),
      ...pick(policySwitch, 'application_id', 'policy_id'),
      realname: bool(['实名', 'Real name'], { required: true }),
      id: idOutput.id,
      version: int(['版本', 'Version'], { required: true }),
    },
  },
  update: {
    kind: 'update',
    path: 'user/{id}',
    access: ['user_list', 'user_mod'],
    summary: ['修改用户', 'Change a user account'],
    input: editInput,
    versioned: true,
  },
  forbid: {
    kind: 'command',
    path: 'user/forbid',
    access: withTemp,
    summary: ['启用、禁用或冻结用户', 'Enable, disable or freeze users'],
    input: { ids, ...forbidInput },
    shape: batchShape,
  },
  extend: {
    kind: 'command',
    path: 'user/extend',
    access: withTemp,
    summary: ['延长到期时间', 'Extend the expiry of users'],
    input: { ids, ...extendInput },
    shape: batchShape,
  },
  shutdown: {
    kind: 'command',
    path: 'user/shutdown',
    summary: ['预约停机保号', 'Reserve a shutdown of users'],
    input: { ids, ...shutdownInput },
    shape: batchShape,
  },
  reopen: {
    kind: 'command',
    path: 'user/shutdown/cancel',
    summary: ['撤销停机保号', 'Withdraw the shutdown of users, reserved or in effect'],
    input: { ids },
    shape: batchShape,
  },
  passwd: {
    kind: 'command',
    path: 'user/passwd',
    summary: ['重置上网密码', 'Reset internet passwords'],
    input: { ids, ...passwdInput },
    shape: batchShape,
  },
  device: {
    kind: 'command',
    path: 'user/device',
    summary: ['变更绑定设备', 'Change the bound device or group'],
    input: { ids, ...bindingFields },
    shape: batchShape,
  },
  policy: {
    kind: 'command',
    path: 'user/mod_application',
    summary: ['设置自定义策略', 'Switch the custom policy on or off'],
    input: { ids, ...policyAction },
    shape: batchShape,
  },
  renewal: {
    kind: 'command',
    path: 'user/auto_renew',
    summary: ['设置余额自动续订', 'Switch the automatic renewal from the balance on or off'],
    input: { ids, ...renewalInput },
    shape: batchShape,
  },
  kick: {
    kind: 'command',
    path: 'user/kick',
    access: [...one, 'aaa_user_online'],
    summary: ['强制用户下线', 'Kick users offline'],
    // With the source `aaa`, the ids are those of AAA sessions, else of accounts.
    input: { ids, source: choice(['来源', 'Source'], kickSource) },
    shape: batchShape,
  },
  remove: {
    kind: 'delete',
    path: 'user/delete',
    access: withTemp,
    summary: ['删除用户', 'Delete expired or disabled users'],
    input: { ids, forfeit },
    shape: batchShape,
  },
  removal: quoteOf('user/delete/quote', withTemp, { ids }),
  option: {
    kind: 'option',
    path: 'user/option',
    access: 'session',
    summary: ['用户选项', "Option list of users, shown as 'account (name)'"],
    input: { ...lookupInput, account: variant(identityFields.email, { label: user.fields.account.label, rules: [] }) },
    shape: shape<Record<string, string>>(),
  },
  online: {
    kind: 'list',
    path: 'user/online',
    summary: ['用户在线记录', 'Online records of a user'],
    input: { user_id: int(['用户', 'User'], { required: true }) },
    resource: onlineRecord,
  },
  rejections: {
    kind: 'list',
    path: 'user/{id}/rejections',
    summary: ['用户登录被拒记录', 'Refused logins of a user'],
    resource: rejection,
  },
  exportSelected: {
    kind: 'file',
    path: 'user/export/part',
    access: ['user_list', 'user_temp'],
    summary: ['导出所选用户', 'Download the selected users'],
    input: { ids, ...exportInput },
    shape: shape<unknown>(),
  },
  exportAll: {
    kind: 'export',
    path: 'user/export/all',
    access: ['user_list'],
    summary: ['导出全部用户', 'Export all users'],
    resource: user,
    input: exportInput,
    output: exportOutput,
  },
  exports: {
    kind: 'list',
    path: 'user/export/all',
    access: ['user_list'],
    summary: ['用户导出记录', 'Export jobs of users'],
    resource: exportJob,
  },
  reveal: {
    kind: 'command',
    path: 'user/{id}/reveal',
    access: [...withTemp, 'user_mod'],
    summary: ['查看用户的隐藏信息', 'Show masked information of a user'],
    input: { field: choice(['信息', 'What'], revealable, { required: true }) },
    output: { value: text(['内容', 'Value'], { required: true }) },
  },
  photo: {
    kind: 'file',
    path: 'user/{id}/photo',
    access: [...one, 'user_mod'],
    summary: ['用户照片', 'Photo of a user'],
    shape: shape<unknown>(),
  },
});
