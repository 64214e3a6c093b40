import { exportInput, exportJob, exportOutput } from '../export/export.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bool, int, pick } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { exportActions, removeAction } from '../kit/page-actions.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { packageKindField } from './choices.ts';
import { hiddenAmounts, netInput, newExpiry, packageFields } from './package-fields.ts';

export const netResource = resource({
  fields: packageFields,
  title: ['name', 'agent_name'],
  columns: [
    'id',
    'name',
    'package_type',
    'capacity',
    'cycle',
    'up_speed',
    'down_speed',
    'up_guarantee',
    'down_guarantee',
    'price',
    'priority',
    'weight',
    'online_type',
    'used_count',
    'is_hide',
    'application_name',
    'policy_name',
    'device_name',
    'group_name',
    'description',
    'agent_name',
    'expire_at',
    'create_at',
  ],
  filters: [
    'name',
    'package_type',
    'device_id',
    'device_group_id',
    'is_hide',
    'online_type',
    'application_id',
    'policy_id',
    'price',
    'used_count',
    'vno_id',
    'expire_at',
  ],
  orderby: 'weight desc',
});

const createInput = { ...netInput, ...newExpiry };

const netForms = {
  create: form(['新增上网套餐', 'New online package'], createInput, 640),
  edit: form(['编辑上网套餐', 'Edit online package'], netInput, 640),
};
export const packageCalls = calls('package', ['net_package'], {
  list: { kind: 'list', path: 'package', summary: ['查询上网套餐', 'List online packages'], resource: netResource },
  create: { kind: 'create', path: 'package', summary: ['新增上网套餐', 'Create an online package'], input: createInput, output: idOutput },
  read: {
    kind: 'detail',
    path: 'package/{id}',
    summary: ['查看上网套餐', 'Read one online package'],
    output: {
      ...netInput,
      ...hiddenAmounts,
      // The columns combine amount and unit in one text.
      ...pick(packageFields, ...netResource.columns),
      id: idOutput.id,
      version: int(['版本', 'Version'], { required: true }),
    },
  },
  update: { kind: 'update', path: 'package/{id}', summary: ['修改上网套餐', 'Change an online package'], input: netInput, versioned: true },
  remove: { kind: 'delete', path: 'package/{id}', summary: ['删除上网套餐', 'Delete an online package'] },
  export: {
    kind: 'export',
    path: 'package/export',
    summary: ['导出上网套餐', 'Export online packages'],
    resource: netResource,
    input: exportInput,
    output: exportOutput,
  },
  exports: { kind: 'list', path: 'package/export', summary: ['上网套餐导出记录', 'Export jobs of online packages'], resource: exportJob },
  option: {
    kind: 'option',
    path: 'package/option',
    access: 'session',
    summary: ['套餐选项', 'Option list of packages'],
    input: { kind: packageKindField, periodic: bool(['周期套餐', 'Periodic']) },
    /** Higher weights come first. */
    shape: shape<Record<string, { readonly name: string; readonly weight: number }>>(),
  },
});

export const netPackage = page({
  ...headOf('netPackage'),
  resource: netResource,
  list: packageCalls.list,
  forms: netForms,
  actions: {
    create: { on: 'toolbar', label: ['新增套餐', 'New package'], call: packageCalls.create, form: 'create' },
    ...exportActions(packageCalls),
    detail: { on: 'row', label: ['详情', 'Details'], call: packageCalls.read },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: packageCalls.update, form: 'edit' },
    copy: { on: 'row', label: ['复制', 'Copy'], call: packageCalls.create, form: 'create' },
    delete: removeAction(packageCalls.remove, ['套餐', 'package'], { when: (row) => row.used_count === 0 }),
  },
});
