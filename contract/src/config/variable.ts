import { remarkField } from '../device/device-fields.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bool, choice, option, pick, text, time } from '../kit/field.ts';
import { type Action, form } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { idOutput } from '../permission/customer.ts';
import { variableName } from './config-template.ts';

/** Value of a template variable for a VNO and its branch, a group, or one device. The nearest level wins. */
export const variableLevel = [
  { id: 'vno', label: ['VNO', 'VNO'], color: 'blue' },
  { id: 'group', label: ['设备组', 'Device group'], color: 'cyan' },
  { id: 'device', label: ['设备', 'Device'], color: 'green' },
] as const;
export type VariableLevel = (typeof variableLevel)[number]['id'];

const fields = {
  name: text(['变量名', 'Name'], {
    required: true,
    rules: [variableName],
    max: 32,
    mono: true,
    sort: true,
    suggest: 'device/config/variable/option',
    typed: true,
    width: 160,
  }),
  level: choice(['层级', 'Level'], variableLevel, { required: true, default: 'device', width: 110 }),
  place: text(['作用范围', 'Applies to'], { tooltip: true, width: 180 }),
  value: text(['取值', 'Value'], { max: 256, tooltip: true, width: 200 }),
  secret: bool(['保密', 'Secret'], {
    width: 80,
    tips: ['保存后不再显示，只能用于保密字段', 'Not shown after saving. Can only be used in secret fields.'],
  }),
  operator: text(['最后修改人', 'Last changed by'], { width: 120 }),
  update_at: time(['修改时间', 'Changed at'], { sort: true }),
  vno_id: option(['VNO', 'VNO'], 'agent/option', { required: true, when: (v) => v.level === 'vno' }),
  device_group_id: option(['设备组', 'Device group'], 'device/group/option', {
    required: true,
    when: (v) => v.level === 'group',
    lookupParams: { subject: 'template' },
    empty: ['管理范围限于设备时，请选择设备', 'If your scope is limited to devices, select a device'],
  }),
  device_id: option(['设备', 'Device'], 'device/option', { required: true, when: (v) => v.level === 'device' }),
  ...remarkField,
};

export const variableResource = resource({
  fields,
  title: ['name', 'place'],
  columns: ['name', 'level', 'place', 'value', 'secret', 'remark', 'operator', 'update_at'],
  filters: ['name', 'level', 'place'],
  orderby: 'name asc',
});

const value = { value: text(['取值', 'Value'], { required: true, max: 256 }) };
const createInput = { ...pick(fields, 'name', 'level', 'vno_id', 'device_group_id', 'device_id', 'secret'), ...value, ...remarkField };
const editInput = { ...value, ...remarkField };

export const variableCalls = calls('device', ['config_template'], {
  list: {
    kind: 'list',
    path: 'device/config/variable',
    summary: ['查询模板变量取值', 'List values of template variables'],
    resource: variableResource,
  },
  /** Names that templates declare. */
  option: {
    kind: 'option',
    path: 'device/config/variable/option',
    summary: ['模板变量选项', 'Variables that templates declare'],
    shape: shape<Record<string, string>>(),
  },
  create: {
    kind: 'create',
    path: 'device/config/variable',
    summary: ['新增模板变量取值', 'Set a template variable'],
    input: createInput,
    output: idOutput,
  },
  update: {
    kind: 'update',
    path: 'device/config/variable/{id}',
    summary: ['修改模板变量取值', 'Change a template variable'],
    input: editInput,
    versioned: true,
  },
  remove: { kind: 'delete', path: 'device/config/variable/{id}', summary: ['删除模板变量取值', 'Delete a template variable'] },
});

export const variableForms = {
  create: form(['新增变量取值', 'Set a variable'], createInput),
  edit: form(['修改变量取值', 'Change a variable'], { name: { ...fields.name, readonly: true }, ...editInput }),
};

export const variableActions = {
  create: { on: 'toolbar', label: ['新增取值', 'New value'], call: variableCalls.create, form: 'create' },
  edit: { on: 'row', label: ['修改', 'Change'], call: variableCalls.update, form: 'edit' },
  delete: {
    on: 'row',
    label: ['删除', 'Delete'],
    call: variableCalls.remove,
    danger: true,
    confirm: [
      '删除后引用该变量的模板改用上一级的取值。确定要删除吗？',
      'Templates that use it fall back to the value of the level above. Delete this value?',
    ],
  },
} as const satisfies Record<string, Action>;
