import { exportInput, exportJob } from '../export/export.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { as, bool, choice, date, int, link, long, money, option, options, pick, speed, tags, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import type { Values } from '../kit/values.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import { bindType, cycleUnit, flowUnit, onlineType, packageKindField, packageType, timeUnit } from './choices.ts';
import { packageRules } from './package-rules.ts';

const hasTime = (v: Values) => v.package_type === 'time' || v.package_type === 'time_flow';
const hasFlow = (v: Values) => v.package_type === 'flow' || v.package_type === 'time_flow';
const hasCycle = (v: Values) => v.cycle_enable === true;
const amount = rules.number_range(1, 1_000_000);

/** A package can use templates of its own VNO or of one above it. */
const ofLine = { lookupBy: ['vno_id'], lookupParams: { line: true } } as const;

const fields = {
  id: int(['套餐ID', 'ID'], { sort: true, off: true }),
  name: link(['套餐名称', 'Package name'], {
    required: true,
    rules: [rules.text_cn_128, rules.no_quotes],
    sort: true,
    tooltip: true,
    width: 200,
  }),
  package_type: choice(['套餐类型', 'Package type'], packageType, { required: true, default: 'flow', width: 130 }),
  capacity: text(['容量', 'Capacity'], { whole: true, tips: ['时长/流量及单位', 'Time and flow with units'] }),
  cycle: text(['周期重置', 'Cycle reset'], { width: 160 }),
  up_speed: speed(['上行速率', 'Up speed'], { required: true, rules: [rules.zero_unlimited], default: 0 }),
  down_speed: speed(['下行速率', 'Down speed'], { required: true, rules: [rules.zero_unlimited], default: 0 }),
  up_guarantee: speed(['上行保障', 'Guaranteed up'], {
    rules: [rules.zero_unlimited, packageRules.guaranteeWithin('up_speed')],
    default: 0,
    off: true,
  }),
  down_guarantee: speed(['下行保障', 'Guaranteed down'], {
    rules: [rules.zero_unlimited, packageRules.guaranteeWithin('down_speed')],
    default: 0,
    off: true,
  }),
  price: money(['价格', 'Price'], { required: true, rules: [rules.price], sort: true }),
  priority: int(['优先级', 'Priority'], {
    required: true,
    rules: [rules.number_range(1, 999)],
    default: 100,
    sort: true,
    off: true,
    tips: ['数字越小优先级越高，优先使用', 'A lower number means higher priority (used first)'],
  }),
  weight: int(['权重', 'Weight'], {
    rules: [rules.number_range(0, 9999)],
    default: 0,
    sort: true,
    off: true,
    tips: ['数字越大排序越靠前', 'A higher weight sorts first'],
  }),
  online_type: choice(['上网方式', 'Online type'], onlineType, { required: true, default: 0 }),
  used_count: int(['使用数', 'Used count'], { sort: true }),
  is_hide: bool(['隐藏套餐', 'Hidden'], { default: false }),
  application_name: text(['应用模板', 'Application template'], { tooltip: true, off: true, to: references.appTemplate }),
  policy_name: text(['信控模板', 'Credit control template'], { tooltip: true, off: true, to: references.controlTemplate }),
  device_name: tags(['适用设备', 'Devices'], { tooltip: true, off: true, to: references.devices }),
  group_name: tags(['适用设备组', 'Device groups'], { tooltip: true, off: true, to: references.group }),
  description: long(['套餐说明', 'Description'], { rules: [rules.free_512], tooltip: true, off: true }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, off: true, to: references.vno }),
  expire_at: date(['有效期至', 'Expires at'], { sort: true }),
  create_at: time(['创建时间', 'Created at'], { sort: true, off: true }),
  device_id: options(['设备', 'Device'], 'device/option'),
  device_group_id: options(['设备组', 'Device group'], 'device/group/option'),
  application_id: option(['应用模板', 'Application template'], 'application/option', ofLine),
  policy_id: option(['信控模板', 'Credit control template'], 'policy/option', ofLine),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};

const capacityFields = {
  time_capacity: int(['时长', 'Duration'], { required: true, rules: [amount, packageRules.durationBeforeExpiry], when: hasTime }),
  time_unit: choice(['时长单位', 'Duration unit'], timeUnit, { required: true, default: 'day', when: hasTime }),
  flow_capacity: int(['流量', 'Flow'], { required: true, rules: [amount], when: hasFlow }),
  flow_unit: choice(['流量单位', 'Flow unit'], flowUnit, { required: true, default: 'GB', when: hasFlow }),
};

const cycleFields = {
  cycle_enable: bool(['周期重置', 'Cycle reset'], { default: false }),
  cycle_length: int(['周期时长', 'Cycle length'], {
    required: true,
    rules: [rules.number_range(1, 999), packageRules.resetBeforeExpiry],
    when: hasCycle,
  }),
  cycle_unit: choice(['周期单位', 'Cycle unit'], cycleUnit, { required: true, default: 'month', when: hasCycle }),
  cycle_quota: int(['每周期配额', 'Quota per cycle'], { required: true, rules: [amount, packageRules.quotaWithinTotal], when: hasCycle }),
  cycle_quota_unit: choice(['配额单位', 'Quota unit'], flowUnit, {
    required: true,
    default: 'GB',
    when: (v) => hasCycle(v) && v.package_type !== 'time',
  }),
};

/** For the edit form; lists show `capacity` and `cycle` instead. */
const unseen = {
  time_capacity: as(capacityFields.time_capacity, { hidden: true }),
  time_unit: as(capacityFields.time_unit, { hidden: true }),
  flow_capacity: as(capacityFields.flow_capacity, { hidden: true }),
  flow_unit: as(capacityFields.flow_unit, { hidden: true }),
  cycle_enable: as(cycleFields.cycle_enable, { hidden: true }),
  cycle_length: as(cycleFields.cycle_length, { hidden: true }),
  cycle_unit: as(cycleFields.cycle_unit, { hidden: true }),
  cycle_quota: as(cycleFields.cycle_quota, { hidden: true }),
  cycle_quota_unit: as(cycleFields.cycle_quota_unit, { hidden: true }),
};

const inKbps = (label: readonly [string, string]) => ({ label: [`${label[0]}（kbps）`, `${label[1]} (kbps)`] as const });

const bindingFields = {
  bind_type: choice(['适用范围', 'Applies to'], bindType, { required: true, default: 'device' }),
  device_id: options(['适用设备', 'Devices'], 'device/option', { required: true, when: (v) => v.bind_type === 'device' }),
  device_group_id: options(['适用设备组', 'Device groups'], 'device/group/option', {
    lookupParams: { subject: 'package' },
    required: true,
    when: (v) => v.bind_type === 'group',
  }),
};

const netInput = {
  ...pick(fields, 'name', 'package_type'),
  ...capacityFields,
  ...cycleFields,
  up_speed: as(fields.up_speed, inKbps(fields.up_speed.label)),
  down_speed: as(fields.down_speed, inKbps(fields.down_speed.label)),
  up_guarantee: as(fields.up_guarantee, inKbps(fields.up_guarantee.label)),
  down_guarantee: as(fields.down_guarantee, inKbps(fields.down_guarantee.label)),
  price: as(fields.price, { label: ['价格（元）', 'Price (yuan)'] }),
  ...pick(fields, 'priority', 'weight', 'online_type', 'expire_at'),
  is_hide: as(fields.is_hide, { label: ['隐藏套餐', 'Hidden package'] }),
  ...pick(fields, 'application_id', 'policy_id'),
  ...bindingFields,
  description: fields.description,
};

const extraInput = {
  ...pick(fields, 'name', 'package_type'),
  ...capacityFields,
  ...pick(netInput, 'price', 'weight', 'expire_at', 'is_hide'),
  ...bindingFields,
  description: as(fields.description, { label: ['说明', 'Description'] }),
};

export const netResource = resource({
  fields,
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

const extraColumns = {
  ...fields,
  id: as(fields.id, { label: ['加油包ID', 'ID'] }),
  name: text(['加油包名称', 'Package name'], { sort: true, tooltip: true, width: 200 }),
  package_type: as(fields.package_type, { label: ['类型', 'Type'] }),
  time_capacity: text(['时长', 'Duration']),
  flow_capacity: text(['流量', 'Flow']),
};

export const extraResource = resource({
  fields: extraColumns,
  columns: [
    'id',
    'name',
    'package_type',
    'time_capacity',
    'flow_capacity',
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

const netForms = {
  create: form(['新增上网套餐', 'New online package'], netInput, 640),
  edit: form(['编辑上网套餐', 'Edit online package'], netInput, 640),
};
const extraForms = {
  create: form(['新增加油包', 'New extra package'], extraInput, 640),
  edit: form(['编辑加油包', 'Edit extra package'], extraInput, 640),
};

const extra = ['extra_package'] as const;

export const packageCalls = calls('package', ['net_package'], {
  list: { kind: 'list', path: 'package', summary: ['查询上网套餐', 'List online packages'], resource: netResource },
  create: { kind: 'create', path: 'package', summary: ['新增上网套餐', 'Create an online package'], input: netInput, output: idOutput },
  read: {
    kind: 'detail',
    path: 'package/{id}',
    summary: ['查看上网套餐', 'Read one online package'],
    output: {
      ...netInput,
      ...unseen,
      // The columns combine amount and unit in one text.
      ...pick(fields, ...netResource.columns),
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
    output: idOutput,
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

export const extraCalls = calls('package', extra, {
  list: { kind: 'list', path: 'package/addition', summary: ['查询加油包', 'List extra packages'], resource: extraResource },
  create: {
    kind: 'create',
    path: 'package/addition',
    summary: ['新增加油包', 'Create an extra package'],
    input: extraInput,
    output: idOutput,
  },
  read: {
    kind: 'detail',
    path: 'package/addition/{id}',
    summary: ['查看加油包', 'Read one extra package'],
    output: {
      ...pick(fields, 'used_count', 'device_name', 'group_name', 'agent_name', 'create_at'),
      ...extraInput,
      ...pick(unseen, 'time_capacity', 'time_unit', 'flow_capacity', 'flow_unit'),
      capacity: fields.capacity,
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
    output: idOutput,
  },
  exports: {
    kind: 'list',
    path: 'package/addition/export',
    summary: ['加油包导出记录', 'Export jobs of extra packages'],
    resource: exportJob,
  },
});

export const netPackage = page({
  ...headOf('netPackage'),
  resource: netResource,
  list: packageCalls.list,
  forms: netForms,
  actions: {
    create: { on: 'toolbar', label: ['新增套餐', 'New package'], call: packageCalls.create, form: 'create' },
    export: { on: 'toolbar', label: ['导出', 'Export'], call: packageCalls.export },
    exportJobs: { on: 'toolbar', label: ['导出记录', 'Export jobs'], call: packageCalls.exports },
    detail: { on: 'row', label: ['详情', 'Details'], call: packageCalls.read },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: packageCalls.update, form: 'edit' },
    copy: { on: 'row', label: ['复制', 'Copy'], call: packageCalls.create, form: 'create' },
    delete: {
      on: 'row',
      label: ['删除', 'Delete'],
      call: packageCalls.remove,
      danger: true,
      when: (row) => row.used_count === 0,
      confirm: ['确定要删除该套餐吗？', 'Are you sure you want to delete this package?'],
    },
  },
});

export const extraPackage = page({
  ...headOf('extraPackage'),
  resource: extraResource,
  list: extraCalls.list,
  forms: extraForms,
  actions: {
    create: { on: 'toolbar', label: ['新增加油包', 'New extra package'], call: extraCalls.create, form: 'create' },
    export: { on: 'toolbar', label: ['导出', 'Export'], call: extraCalls.export },
    exportJobs: { on: 'toolbar', label: ['导出记录', 'Export jobs'], call: extraCalls.exports },
    detail: { on: 'row', label: ['详情', 'Details'], call: extraCalls.read },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: extraCalls.update, form: 'edit' },
    delete: {
      on: 'row',
      label: ['删除', 'Delete'],
      call: extraCalls.remove,
      danger: true,
      when: (row) => row.used_count === 0,
      confirm: ['确定要删除该加油包吗？', 'Are you sure you want to delete this extra package?'],
    },
  },
});
