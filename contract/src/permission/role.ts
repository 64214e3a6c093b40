import { dataLimit, roleScope } from '../choices.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bool, choice, type Grant, grants, int, link, longText, option, options, pick, tags, text, time } from '../kit/field.ts';
import { form, type Head, page } from '../kit/page.ts';
import { removeAction } from '../kit/page-actions.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import { idOutput } from './customer.ts';

/** A role of VNOs, of sub-accounts or of job numbers: page keys, operate map, management scope, hidden-package right. */
export interface PermissionNode {
  readonly key: string;
  readonly zh: string;
  readonly en: string;
  /** The granted call; null for a group or a page. */
  readonly method_path: string | null;
  readonly value: Grant;
  /** The highest grant that the session can give. */
  readonly most: Grant;
  readonly children: readonly PermissionNode[];
}

const roleFields = (treeLookup: string) => ({
  name: link(['角色名称', 'Role name'], {
    required: true,
    rules: [rules.text_cn_15, rules.no_edge_space, rules.no_quotes],
    sort: true,
    tooltip: true,
    width: 160,
  }),
  use_count: int(['使用数', 'Usage count'], { sort: true }),
  scope: choice(['管理范围', 'Management scope'], roleScope, { required: true, default: 'unlimited' }),
  scope_names: tags(['范围明细', 'Scope details'], { tooltip: true, hiddenByDefault: true }),
  permission_names: tags(['权限', 'Permissions'], { tooltip: true }),
  view_hide_pkg: bool(['可查看隐藏套餐', 'May view hidden packages'], { default: false }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, width: 160, to: references.vno }),
  remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes], tooltip: true }),
  creator: text(['创建人', 'Created by'], { hiddenByDefault: true }),
  create_at: time(['创建时间', 'Created at'], { sort: true }),
  update_at: time(['更新时间', 'Updated at'], { sort: true, hiddenByDefault: true }),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  vno_limit: choice(['VNO数据范围', 'VNO data limit'], dataLimit, { default: 'all', when: (v) => v.scope === 'vno' }),
  vno_ids: options(['指定VNO', 'VNOs'], 'agent/option', { required: true, when: (v) => v.scope === 'vno' && v.vno_limit === 'specified' }),
  device_limit: choice(['设备数据范围', 'Device data limit'], dataLimit, { default: 'all', when: (v) => v.scope === 'device' }),
  device_ids: options(['指定设备', 'Devices'], 'device/option', {
    required: true,
    when: (v) => v.scope === 'device' && v.device_limit === 'specified',
  }),
  read_all: bool(['全部可查看', 'Read all'], { default: false }),
  write_all: bool(['全部可操作', 'Write all'], { default: false }),
  permissions: grants(['页面与操作权限', 'Page and operation permissions'], treeLookup, {
    required: true,
    rules: [
      {
        name: 'some_permission',
        text: ['请完善角色权限', 'Please improve the role permissions'],
        test: (v) => typeof v === 'object' && v !== null && Object.values(v).some((g) => g !== '00'),
      },
    ],
  }),
  gateway_permissions: grants(['网关配置菜单权限', 'Gateway menu permissions'], 'device_account/permissions'),
});

const roleForms = (f: ReturnType<typeof roleFields>) => {
  const whole = pick(
    f,
    'name',
    'scope',
    'vno_limit',
    'vno_ids',
    'device_limit',
    'device_ids',
    'view_hide_pkg',
    'read_all',
    'write_all',
    'permissions',
    'gateway_permissions',
    'remark',
  );
  return {
    create: form(['新增角色', 'New role'], whole, 860),
    edit: form(['编辑角色', 'Edit role'], whole, 860),
    rename: form(['重命名角色', 'Rename role'], {
      name: text(['角色名称', 'Role name'], {
        required: true,
        rules: [rules.name_changed('old_name'), rules.text_cn_15, rules.no_edge_space, rules.no_quotes],
      }),
    }),
  };
};

const kind = choice(
  ['角色种类', 'Kind'],
  [
    { id: 'sub', label: ['子账号', 'Sub-account'] },
    { id: 'job', label: ['工号', 'Job number'] },
  ] as const,
  { default: 'sub', hidden: true },
);

const roleSet = <const P extends string, const A extends readonly string[]>(path: P, access: A, module: 'vno' | 'permission') => {
  const fields = roleFields(`${path}/permissions`);
  const forms = roleForms(fields);
  const list = resource({
    fields: { ...fields, permissions: fields.permission_names },
    title: ['name', 'agent_name'],
    columns: [
      'name',
      'use_count',
      'scope',
      'scope_names',
      'permissions',
      'view_hide_pkg',
      'agent_name',
      'remark',
      'creator',
      'create_at',
      'update_at',
    ],
    filters: ['name', 'scope', 'view_hide_pkg', 'create_at', 'vno_id', 'use_count'],
    orderby: 'create_at desc',
  });
  const input = { ...forms.create.fields, kind };
  const roleCalls = calls(module, access, {
    list: { kind: 'list', path, summary: ['查询角色', 'List roles'], resource: list, input: { kind } },
    create: { kind: 'create', path, summary: ['新增角色', 'Create a role'], input, output: idOutput },
    read: {
      kind: 'detail',
      path: `${path}/{id}`,
      summary: ['查看角色', 'Read one role'],
      output: {
        ...forms.create.fields,
        ...pick(list.fields, 'use_count', 'scope_names', 'agent_name', 'creator', 'create_at', 'update_at'),
        permission_names: fields.permission_names,
        id: idOutput.id,
        version: int(['版本', 'Version'], { required: true }),
      },
    },
    update: {
      kind: 'update',
      path: `${path}/{id}`,
      summary: ['修改角色', 'Change a role'],
      input: forms.edit.fields,
      partial: true,
      versioned: true,
    },
    remove: { kind: 'delete', path: `${path}/{id}`, summary: ['删除角色', 'Delete a role'] },
    permissions: {
      kind: 'tree',
      path: `${path}/permissions`,
      summary: ['可授予的权限清单', 'List of permissions that can be granted'],
      input: { role_id: int(['角色', 'Role']) },
      shape: shape<{ list: readonly PermissionNode[] }>(),
    },
    option: {
      kind: 'option',
      path: `${path}/option`,
      access: 'session',
      summary: ['角色选项', 'Option list of roles'],
      // Roles of VNOs: those allowed for the VNO `vno_id`, or for a new one below `parent_id`.
      input: {
        kind,
        vno_id: fields.vno_id,
        parent_id: option(['上级VNO', 'Parent VNO'], 'agent/option'),
        // Excludes roles with more rights than the session.
        assignable: bool(['仅可分配', 'Assignable only'], { hidden: true }),
      },
      shape: shape<Record<string, string>>(),
    },
  });
  return { list, forms, calls: roleCalls };
};

type RoleSet = Pick<ReturnType<typeof roleSet>, 'list' | 'forms' | 'calls'>;

const rolePage = <const H extends Head>({ list, forms, calls }: RoleSet, head: H, params?: { kind: string }) =>
  page({
    ...head,
    resource: list,
    list: calls.list,
    listParams: params,
    forms,
    actions: {
      create: { on: 'toolbar', label: ['新增角色', 'New role'], call: calls.create, form: 'create', params },
      permissionTree: { on: 'toolbar', label: ['权限清单', 'Permission tree'], call: calls.permissions },
      detail: { on: 'row', label: ['查看', 'View'], call: calls.read },
      edit: { on: 'row', label: ['编辑', 'Edit'], call: calls.update, form: 'edit' },
      rename: { on: 'row', label: ['重命名', 'Rename'], call: calls.update, form: 'rename' },
      delete: removeAction(calls.remove, ['角色', 'role'], { when: (row) => row.use_count === 0 }),
    },
  });

export const vnoRoles = roleSet('agent/role', ['vno_role'], 'vno');
export const staffRoles = roleSet('customer/role', ['role_manage', 'job_role'], 'permission');

export const vnoRole = rolePage(vnoRoles, headOf('vnoRole'));
export const roleManage = rolePage(staffRoles, headOf('roleManage'), { kind: 'sub' });
export const jobRole = rolePage(staffRoles, headOf('jobRole'), { kind: 'job' });
