import { calls } from '../kit/endpoint.ts';
import { choice } from '../kit/field.ts';
import { type Action, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import {
  confirms,
  customerActions,
  customerFields,
  customerForms,
  customerPatch,
  idOutput,
  remoteOutput,
  removeAccount,
} from './customer.ts';

const fields = customerFields('customer/role/option');

export const staff = resource({
  fields,
  title: ['username', 'name'],
  columns: [
    'username',
    'name',
    'role_name',
    'phone',
    'email',
    'income_limit',
    'income_used',
    'view_hide_pkg',
    'status',
    'job_kind',
    'parent_name',
    'last_login_at',
    'last_login_ip',
    'remark',
    'create_at',
  ],
  filters: ['username', 'name', 'phone', 'role_id', 'status', 'job_kind', 'view_hide_pkg', 'income_limit', 'create_at'],
  orderby: 'create_at desc',
});

/** Sub-accounts and job numbers are two kinds of the same row with the same calls. */
export const staffKind = choice(
  ['账号种类', 'Kind'],
  [
    { id: 'sub', label: ['子账号', 'Sub-account'] },
    { id: 'job', label: ['工号', 'Job number'] },
  ] as const,
  { required: true, hidden: true },
);

export const subForms = customerForms(['子账号', 'sub-account'], fields);
const base = customerForms(['工号', 'job number'], fields);
const { phone, email, role_id, ...rest } = base.create.fields;
const { job_kind } = fields;
const { username, name, password, repassword, ...after } = rest;

export const jobForms = {
  ...base,
  create: { ...base.create, fields: { username, name, password, repassword, phone, email, role_id, job_kind, ...after } },
  edit: { ...base.edit, fields: { username: base.edit.fields.username, name, phone, email, role_id, job_kind, ...after } },
};

export const staffCalls = calls('permission', ['customer_manage', 'job_number'], {
  list: {
    kind: 'list',
    path: 'customer',
    summary: ['查询子账号或工号', 'List sub-accounts or job numbers'],
    resource: staff,
    input: { kind: staffKind },
  },
  create: {
    kind: 'create',
    path: 'customer',
    summary: ['新增子账号或工号', 'Create a sub-account or job number'],
    input: { kind: staffKind, ...subForms.create.fields, job_kind: { ...job_kind, when: (v) => v.kind === 'job' } },
    output: idOutput,
  },
  update: {
    kind: 'update',
    path: 'customer/{id}',
    summary: ['修改子账号或工号', 'Change a sub-account or job number'],
    input: { ...customerPatch(fields), job_kind },
    partial: true,
    versioned: true,
  },
  remove: { kind: 'delete', path: 'customer/{id}', summary: ['删除子账号或工号', 'Delete a sub-account or job number'] },
  login: { kind: 'command', path: 'customer/login/{id}', summary: ['以子账号身份登录', 'Log in as a sub-account'], output: remoteOutput },
});

const login: Action = {
  on: 'row',
  label: ['登录该账号', 'Log in as'],
  call: staffCalls.login,
  confirm: confirms.login,
  when: (row) => row.status === 1,
};

const { job_kind: _, parent_name: __, ...subFields } = fields;

export const customerManage = page({
  ...headOf('customerManage'),
  resource: resource({
    fields: subFields,
    title: ['username', 'name'],
    columns: [
      'username',
      'name',
      'role_name',
      'phone',
      'email',
      'income_limit',
      'income_used',
      'view_hide_pkg',
      'status',
      'last_login_at',
      'last_login_ip',
      'remark',
      'create_at',
    ],
    filters: ['username', 'name', 'phone', 'role_id', 'status', 'view_hide_pkg', 'income_limit', 'create_at'],
    orderby: 'create_at desc',
  }),
  list: staffCalls.list,
  listParams: { kind: 'sub' },
  forms: subForms,
  actions: {
    ...customerActions(['新增子账号', 'New sub-account'], staffCalls, { kind: 'sub' }),
    login,
    delete: removeAccount(staffCalls.remove),
  },
});

export const jobNumber = page({
  ...headOf('jobNumber'),
  resource: staff,
  list: staffCalls.list,
  listParams: { kind: 'job' },
  forms: jobForms,
  actions: {
    ...customerActions(['新增工号', 'New job number'], staffCalls, { kind: 'job' }),
    login,
    delete: removeAccount(staffCalls.remove),
  },
});
