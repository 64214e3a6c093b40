import { calls, shape } from '../kit/endpoint.ts';
import { bool, choice, int, longText, option, pick, progress, protocols, speed, text, time, variant } from '../kit/field.ts';
import { subjectInput } from '../kit/lookup.ts';
import { form, page } from '../kit/page.ts';
import { removeAction } from '../kit/page-actions.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import { appMode, policyAction } from './choices.ts';
import { bindingInput } from './offer.ts';

const shared = {
  name: text(['模板名称', 'Template name'], {
    required: true,
    rules: [rules.text_cn_15, rules.no_edge_space],
    sort: true,
    tooltip: true,
    width: 160,
  }),
  used_count: int(['使用数', 'Used count'], { sort: true }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, width: 160, to: references.vno }),
  create_at: time(['创建时间', 'Created at'], { sort: true }),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};
/** `line`: only templates of this VNO (default: that of the session) or of one above it. */
const lineInput = {
  line: bool(['仅本级及上级', 'Own line only'], { hidden: true }),
  vno_id: option(['VNO', 'VNO'], 'agent/option'),
  ...subjectInput,
  ...bindingInput,
};
const version = int(['版本', 'Version'], { required: true });

const appFields = {
  ...shared,
  id: int(['模板ID', 'ID'], { sort: true, hiddenByDefault: true }),
  mode: choice(['控制方式', 'Mode'], appMode, { required: true, default: 0 }),
  configure: protocols(['应用协议', 'Protocols'], { tooltip: true, width: 280 }),
  protocol_count: int(['协议数', 'Protocols'], { sort: true, hiddenByDefault: true }),
  remark: longText(['备注', 'Description'], { rules: [rules.free_512, rules.no_quotes], tooltip: true }),
  update_at: time(['更新时间', 'Updated at'], { sort: true, hiddenByDefault: true }),
};
export const appResource = resource({
  fields: appFields,
  title: ['name', 'agent_name'],
  columns: ['id', 'name', 'mode', 'configure', 'protocol_count', 'used_count', 'remark', 'agent_name', 'create_at', 'update_at'],
  filters: ['name', 'mode', 'create_at', 'vno_id', 'used_count'],
  orderby: 'create_at desc',
});
const appInput = {
  ...pick(appFields, 'name', 'mode'),
  configure: protocols(['应用协议', 'Protocols'], { required: true, rules: [rules.protocol_min1] }),
  remark: variant(appFields.remark, { label: ['备注', 'Remark'] }),
};

export const applicationCalls = calls('package', ['app_temp'], {
  list: { kind: 'list', path: 'application', summary: ['查询应用模板', 'List application templates'], resource: appResource },
  create: {
    kind: 'create',
    path: 'application',
    summary: ['新增应用模板', 'Create an application template'],
    input: appInput,
    output: idOutput,
  },
  read: {
    kind: 'detail',
    path: 'application/{id}',
    summary: ['查看应用模板', 'Read one application template'],
    output: { ...appFields, ...appInput, id: idOutput.id, version },
  },
  update: {
    kind: 'update',
    path: 'application/{id}',
    summary: ['修改应用模板', 'Change an application template'],
    input: appInput,
    versioned: true,
  },
  remove: { kind: 'delete', path: 'application/{id}', summary: ['删除应用模板', 'Delete an application template'] },
  option: {
    kind: 'option',
    path: 'application/option',
    access: 'session',
    summary: ['应用模板选项', 'Option list of application templates'],
    input: lineInput,
    shape: shape<Record<string, string>>(),
  },
});

const policyFields = {
  ...shared,
  ratio: progress(['提醒比例', 'Reminder ratio'], { sort: true }),
  content: longText(['提醒内容', 'Reminder message'], { rules: [rules.free_512], tooltip: true, width: 240 }),
  action: choice(['限额后动作', 'Post-limit action'], policyAction, { required: true, default: 0 }),
  limit_up: speed(['上行限速', 'Up limit']),
  limit_down: speed(['下行限速', 'Down limit']),
};
export const policyResource = resource({
  fields: policyFields,
  title: ['name', 'agent_name'],
  columns: ['name', 'ratio', 'content', 'action', 'limit_up', 'limit_down', 'used_count', 'agent_name', 'create_at'],
  filters: ['name', 'action', 'ratio', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});
const slows = (v: { readonly action?: unknown }) => v.action === 1;
const policyInput = {
  name: shared.name,
  ratio: int(['提醒比例（%）', 'Reminder ratio (%)'], { required: true, rules: [rules.percent], default: 80 }),
  action: policyFields.action,
  // spec §5: the message is required when the action is none or slow down.
  content: variant(policyFields.content, { requiredWhen: (v) => v.action === 0 || v.action === 1 }),
  limit_up: speed(['上行限速（kbps）', 'Up limit (kbps)'], { required: true, rules: [rules.zero_unlimited], default: 0, when: slows }),
  limit_down: speed(['下行限速（kbps）', 'Down limit (kbps)'], { required: true, rules: [rules.zero_unlimited], default: 0, when: slows }),
};
const control = ['control_temp'] as const;

export const policyCalls = calls('package', control, {
  list: { kind: 'list', path: 'policy', summary: ['查询信控模板', 'List credit control templates'], resource: policyResource },
  create: {
    kind: 'create',
    path: 'policy',
    summary: ['新增信控模板', 'Create a credit control template'],
    input: policyInput,
    output: idOutput,
  },
  read: {
    kind: 'detail',
    path: 'policy/{id}',
    summary: ['查看信控模板', 'Read one credit control template'],
    output: { ...policyFields, ...policyInput, id: idOutput.id, version },
  },
  update: {
    kind: 'update',
    path: 'policy/{id}',
    summary: ['修改信控模板', 'Change a credit control template'],
    input: policyInput,
    versioned: true,
  },
  remove: { kind: 'delete', path: 'policy/{id}', summary: ['删除信控模板', 'Delete a credit control template'] },
  option: {
    kind: 'option',
    path: 'policy/option',
    access: 'session',
    summary: ['信控模板选项', 'Option list of credit control templates'],
    input: lineInput,
    shape: shape<Record<string, string>>(),
  },
});

export const appTemp = page({
  ...headOf('appTemp'),
  resource: appResource,
  list: applicationCalls.list,
  forms: {
    create: form(['新增应用模板', 'New application template'], appInput, 640),
    edit: form(['编辑应用模板', 'Edit application template'], appInput, 640),
  },
  actions: {
    create: { on: 'toolbar', label: ['新增模板', 'New template'], call: applicationCalls.create, form: 'create' },
    detail: { on: 'row', label: ['详情', 'Details'], call: applicationCalls.read },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: applicationCalls.update, form: 'edit' },
    delete: removeAction(applicationCalls.remove, ['模板', 'template'], { when: (row) => row.used_count === 0 }),
  },
});

export const controlTemp = page({
  ...headOf('controlTemp'),
  resource: policyResource,
  list: policyCalls.list,
  forms: {
    create: form(['新增信控模板', 'New credit control template'], policyInput),
    edit: form(['编辑信控模板', 'Edit credit control template'], policyInput),
  },
  actions: {
    create: { on: 'toolbar', label: ['新增模板', 'New template'], call: policyCalls.create, form: 'create' },
    detail: { on: 'row', label: ['详情', 'Details'], call: policyCalls.read },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: policyCalls.update, form: 'edit' },
    delete: removeAction(policyCalls.remove, ['模板', 'template'], { when: (row) => row.used_count === 0 }),
  },
});
