import { commonStatus, jobKind } from '../choices.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { bool, choice, int, longText, money, option, password, pick, text, time, variant } from '../kit/field.ts';
import { type Action, form } from '../kit/page.ts';
import type { Text } from '../kit/text.ts';
import type { Values } from '../kit/values.ts';
import { phoneColumn, phoneInput } from '../phone.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';

/** A login of staff: VNO account, sub-account or job number. The three pages differ in the logins they show and the roles they offer. */
export const customerFields = (roleLookup: 'agent/role/option' | 'customer/role/option') => ({
  username: text(['登录账号', 'Login account'], { required: true, rules: [rules.login_account], sort: true }),
  name: text(['员工姓名', 'Employee name'], { required: true, rules: [rules.person_name], sort: true }),
  role_name: text(['所属角色', 'Role'], { tooltip: true }),
  phone: text(['手机号', 'Phone'], { required: true, rules: [rules.phone], ...phoneColumn }),
  email: text(['邮箱', 'Email'], { rules: [rules.email], noTruncate: true, hiddenByDefault: true, width: 190 }),
  income_limit: money(['收款上限', 'Collection limit'], {
    sort: true,
    tips: [
      '员工最多可持有的现金，交款后重新计算；空表示不限制',
      'Cash that the employee may hold until it is handed over. Empty means no limit.',
    ],
  }),
  income_used: money(['已收金额', 'Collected'], {
    sort: true,
    hiddenByDefault: true,
    tips: ['自上次交款以来收取的现金', 'Cash collected since the last hand-over'],
  }),
  view_hide_pkg: bool(['可查看隐藏套餐', 'May view hidden packages'], { default: false }),
  status: choice(['状态', 'Status'], commonStatus, { default: 1 }),
  agent_name: text(['所属VNO', 'VNO'], { sort: true, tooltip: true, width: 160, to: references.vno }),
  job_kind: choice(['工号类型', 'Job number type'], jobKind, { required: true, default: 'sub' }),
  parent_name: text(['上级工号', 'Master job number']),
  last_login_at: time(['最近登录时间', 'Last login'], { sort: true, hiddenByDefault: true }),
  last_login_ip: text(['最近登录IP', 'Last login IP'], { hiddenByDefault: true, mono: true }),
  remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes], tooltip: true, hiddenByDefault: true }),
  create_at: time(['创建时间', 'Created at'], { sort: true }),
  role_id: option(['所属角色', 'Role'], roleLookup, { required: true, lookupBy: [roleLookup === 'agent/role/option' ? 'vno_id' : 'kind'] }),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option', { required: true }),
});

type CustomerFields = ReturnType<typeof customerFields>;

export const limitFields = {
  income_limit_enable: bool(['限制收款', 'Limit collection'], { default: false }),
  income_limit: money(['收款上限（元）', 'Collection limit (yuan)'], {
    required: true,
    rules: [rules.price],
    when: (v) => v.income_limit_enable === true,
  }),
};

const newPassword = { required: true, rules: [rules.password_rule] } as const;
const repassword = password(['确认密码', 'Confirm password'], { required: true, rules: [rules.confirm_equal('password')], max: 32 });

export const customerForms = (noun: Text, f: CustomerFields) => {
  const role_id = variant(f.role_id, { lookupParams: { assignable: true } });
  const profile = { ...pick(f, 'phone', 'email'), role_id, ...limitFields, ...pick(f, 'view_hide_pkg', 'status', 'remark') };
  return {
    create: form([`新增${noun[0]}`, `New ${noun[1]}`], {
      ...pick(f, 'username', 'name'),
      password: password(['登录密码', 'Password'], newPassword),
      repassword,
      ...profile,
    }),
    edit: form([`编辑${noun[0]}`, `Edit ${noun[1]}`], {
      username: text(['登录账号', 'Login account'], { readonly: true, max: 32 }),
      name: f.name,
      ...profile,
    }),
    password: form(['重置密码', 'Reset password'], { password: password(['新密码', 'New password'], newPassword), repassword }),
    phone: form(['修改手机号', 'Change phone'], {
      old_phone: text(['原手机号', 'Current phone'], { readonly: true, max: 32 }),
      phone: text(['新手机号', 'New phone'], { required: true, rules: [rules.phone_changed('old_phone'), rules.phone], ...phoneInput }),
    }),
  };
};

/** One PUT for the edit, password, phone and status forms: missing fields stay unchanged. */
export const customerPatch = (f: CustomerFields) => ({
  ...pick(f, 'name', 'phone', 'email', 'role_id', 'view_hide_pkg', 'status', 'remark'),
  income_limit_enable: limitFields.income_limit_enable,
  income_limit: money(limitFields.income_limit.label, { rules: [rules.price], when: (v) => v.income_limit_enable !== false }),
  password: password(['新密码', 'New password'], newPassword),
  repassword,
});

export const idOutput = { id: int(['ID', 'ID'], { required: true }) };

export const remoteOutput = {
  token: text(['令牌', 'Token'], { required: true }),
  remoteData: text(['远程数据', 'Remote data'], { required: true }),
};

export const confirms = {
  enable: ['确定启用该账号吗？', 'Enable this account?'],
  disable: ['确定禁用该账号吗？', 'Disable this account?'],
  login: ['将以该账号身份在新窗口登录，是否继续？', 'Log in as this account in a new window?'],
  delete: ['确定要删除该账号吗？', 'Are you sure you want to delete this account?'],
} as const satisfies Record<string, Text>;

const protectedAccount: Text = [
  '不能对当前登录账号或VNO主账号执行此操作',
  'Not possible for your own account or the main account of a VNO',
];

/** The server refuses both for the own account. */
const ofOthers: Pick<Action, 'when' | 'why'> = {
  when: (row, me) => row.id !== me.uid,
  why: ['请在右上角的用户菜单中修改自己的密码和手机号', 'Change your own password and phone in the user menu at the top right'],
};

interface CustomerCalls {
  readonly create: Endpoint;
  readonly update: Endpoint;
  readonly remove: Endpoint;
}

/** Row actions shared by the three pages, in display order. */
export const customerActions = (create: Text, calls: CustomerCalls, params?: Values) =>
  ({
    create: { on: 'toolbar', label: create, call: calls.create, form: 'create', params },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: calls.update, form: 'edit' },
    password: {
      on: 'row',
      label: ['重置密码', 'Reset password'],
      call: calls.update,
      form: 'password',
      ...ofOthers,
    },
    phone: {
      on: 'row',
      label: ['修改手机号', 'Change phone'],
      call: calls.update,
      form: 'phone',
      ...ofOthers,
    },
    enable: {
      on: 'row',
      label: ['启用', 'Enable'],
      call: calls.update,
      confirm: confirms.enable,
      params: { status: 1 },
      when: (row) => row.status === 0,
    },
    disable: {
      on: 'row',
      label: ['禁用', 'Disable'],
      call: calls.update,
      confirm: confirms.disable,
      params: { status: 0 },
      when: (row, me) => row.status === 1 && row.id !== me.uid && row.is_owner !== true,
      why: protectedAccount,
    },
  }) as const satisfies Record<string, Action>;

export const removeAccount = (call: Endpoint) =>
  ({
    on: 'row',
    label: ['删除', 'Delete'],
    call,
    confirm: confirms.delete,
    danger: true,
    when: (row, me) => row.id !== me.uid && row.is_owner !== true,
    why: protectedAccount,
  }) as const satisfies Action;
