import { exportInput, exportJob, exportOutput } from '../export/export.ts';
import { calls } from '../kit/endpoint.ts';
import { int, pick, text, variant } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { exportActions, removeAction } from '../kit/page-actions.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { capacityFields, hiddenAmounts, inKbps, netInput, newExpiry, packageBindingFields, packageFields } from './package-fields.ts';

const extraInput = {
  ...pick(packageFields, 'name', 'package_type'),
  ...capacityFields,
  own_up_speed: variant(packageFields.own_up_speed, inKbps(packageFields.own_up_speed.label)),
  own_down_speed: variant(packageFields.own_down_speed, inKbps(packageFields.own_down_speed.label)),
  ...pick(netInput, 'price', 'weight', 'expire_at', 'is_hide'),
  ...packageBindingFields,
  description: variant(packageFields.description, { label: ['说明', 'Description'] }),
};

const extraColumns = {
  ...packageFields,
  id: variant(packageFields.id, { label: ['加油包ID', 'ID'] }),
  name: text(['加油包名称', 'Package name'], { sort: true, tooltip: true, width: 200 }),
  package_type: variant(packageFields.package_type, { label: ['类型', 'Type'] }),
  time_capacity: text(['时长', 'Duration']),
  flow_capacity: text(['流量', 'Flow']),
};

export const extraResource = resource({
  fields: extraColumns,
  title: ['name', 'agent_name'],
  columns: [
    'id',
    'name',
    'package_type',
    'time_capacity',
    'flow_capacity',
    'own_up_speed',
    'own_down_speed',
    'price',
    'weight',
    'used_count',
    'is_hide',
    'device_name',
    'group_name',
    'description',
    'agent_name',
    'expire_at',
    'create_at',
  ],
  filters: ['name', 'package_type', 'device_id', 'device_group_id', 'is_hide', 'price', 'vno_id', 'create_at'],
  orderby: 'weight desc',
});

const createInput = { ...extraInput, ...newExpiry };

const extraForms = {
  create: form(['新增加油包', 'New extra package'], createInput, 640),
  edit: form(['编辑加油包', 'Edit extra package'], extraInput, 640),
};

const extra = ['extra_package'] as const;

export const extraCalls = calls('package', extra, {
  list: { kind: 'list', path: 'package/addition', summary: ['查询加油包', 'List extra packages'], resource: extraResource },
  create: {
    kind: 'create',
    path: 'package/addition',
    summary: ['新增加油包', 'Create an extra package'],
    input: createInput,
    output: idOutput,
  },
  read: {
    kind: 'detail',
    path: 'package/addition/{id}',
    summary: ['查看加油包', 'Read one extra package'],
    output: {
      ...pick(packageFields, 'used_count', 'device_name', 'group_name', 'agent_name', 'create_at'),
      ...extraInput,
      ...pick(hiddenAmounts, 'time_capacity', 'time_unit', 'flow_capacity', 'flow_unit'),
      capacity: packageFields.capacity,
      id: idOutput.id,
      version: int(['版本', 'Version'], { required: true }),
    },
  },
  update: {
    kind: 'update',
    path: 'package/addition/{id}',
    summary: ['修改加油包', 'Change an extra package'],
    input: extraInput,
    versioned: true,
  },
  remove: { kind: 'delete', path: 'package/addition/{id}', summary: ['删除加油包', 'Delete an extra package'] },
  export: {
    kind: 'export',
    path: 'package/addition/export',
    summary: ['导出加油包', 'Export extra packages'],
    resource: extraResource,
    input: exportInput,
    output: exportOutput,
  },
  exports: {
    kind: 'list',
    path: 'package/addition/export',
    summary: ['加油包导出记录', 'Export jobs of extra packages'],
    resource: exportJob,
  },
});

export const extraPackage = page({
  ...headOf('extraPackage'),
  resource: extraResource,
  list: extraCalls.list,
  forms: extraForms,
  actions: {
    create: { on: 'toolbar', label: ['新增加油包', 'New extra package'], call: extraCalls.create, form: 'create' },
    ...exportActions(extraCalls),
    detail: { on: 'row', label: ['详情', 'Details'], call: extraCalls.read },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: extraCalls.update, form: 'edit' },
    delete: removeAction(extraCalls.remove, ['加油包', 'extra package'], { when: (row) => row.used_count === 0 }),
  },
});
