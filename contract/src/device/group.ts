import { calls } from '../kit/endpoint.ts';
import { int, link, longText, option, options, pick, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import { remarkField } from './device-fields.ts';

const groupName = [rules.text_cn_15, rules.no_edge_space];
const fields = {
  name: link(['设备组名称', 'Group name'], { required: true, rules: groupName, max: 15, sort: true, tooltip: true, width: 180 }),
  device_count: int(['设备数', 'Devices'], { sort: true }),
  user_count: int(['账号数', 'Accounts'], { sort: true, tips: ['绑定到该组的上网账号', 'Accounts bound to the group'] }),
  package_count: int(['套餐数', 'Packages'], { tips: ['适用于该组的套餐', 'Packages available to the group'] }),
  template_count: int(['配置模板数', 'Templates'], {
    hiddenByDefault: true,
    tips: ['作用于该组的配置模板', 'Configuration templates of the group'],
  }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, width: 160, to: references.vno }),
  remark: longText(['备注', 'Remark'], { tooltip: true }),
  create_at: time(['创建时间', 'Created at'], { sort: true }),
  device_id: option(['设备', 'Device'], 'device/option'),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};

export const deviceGroupResource = resource({
  fields,
  title: ['name', 'agent_name'],
  columns: ['name', 'device_count', 'user_count', 'package_count', 'template_count', 'agent_name', 'remark', 'create_at'],
  filters: ['name', 'device_id', 'vno_id', 'create_at', 'device_count'],
  orderby: 'create_at desc',
});

const version = int(['版本', 'Version'], { required: true });
const input = {
  name: fields.name,
  device_ids: options(['组内设备', 'Devices'], 'device/option', {
    lookupBy: ['id', 'device_ids'],
    lookupParams: { subject: 'group' },
    tips: ['须属于同一VNO；已在其他组的设备将移入本组', 'All devices must belong to one VNO. Devices of other groups move to this one.'],
  }),
  ...remarkField,
};

export const groupCalls = calls('device', ['device_group'], {
  list: { kind: 'list', path: 'device/group', summary: ['查询设备组', 'List device groups'], resource: deviceGroupResource },
  read: {
    kind: 'detail',
    path: 'device/group/{id}',
    summary: ['查看设备组', 'Read one device group'],
    output: { ...pick(fields, ...deviceGroupResource.columns), device_ids: input.device_ids, ...idOutput, version },
  },
  create: { kind: 'create', path: 'device/group', summary: ['新增设备组', 'Create a device group'], input, output: idOutput },
  update: { kind: 'update', path: 'device/group/{id}', summary: ['修改设备组', 'Change a device group'], input, versioned: true },
  remove: { kind: 'delete', path: 'device/group/{id}', summary: ['删除设备组', 'Delete a device group'] },
});

export const deviceGroup = page({
  ...headOf('deviceGroup'),
  resource: deviceGroupResource,
  list: groupCalls.list,
  forms: { create: form(['新增设备组', 'New group'], input, 720), edit: form(['编辑设备组', 'Edit group'], input, 720) },
  actions: {
    create: { on: 'toolbar', label: ['新增设备组', 'New group'], call: groupCalls.create, form: 'create' },
    detail: { on: 'row', label: ['详情', 'Details'], call: groupCalls.read },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: groupCalls.update, form: 'edit' },
    delete: {
      on: 'row',
      label: ['删除', 'Delete'],
      call: groupCalls.remove,
      danger: true,
      confirm: ['删除后不可恢复。确定要删除该设备组吗？', 'This cannot be undone. Delete this group?'],
      when: (row) => row.device_count === 0 && row.user_count === 0 && row.package_count === 0 && row.template_count === 0,
      why: [
        '组内仍有设备，或仍有账号、套餐、配置模板使用该组',
        'The group still has devices, or accounts, packages or configuration templates that use it',
      ],
    },
  },
});
