import { calls, shape } from '../kit/endpoint.ts';
import { int, longText, option, pick, text, time } from '../kit/field.ts';
import { subjectInput } from '../kit/lookup.ts';
import { form, page } from '../kit/page.ts';
import { removeAction } from '../kit/page-actions.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { bindingInput } from '../package/offer.ts';
import { idOutput } from '../permission/customer.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';

const fields = {
  prefix: text(['账号前缀', 'Prefix'], {
    required: true,
    rules: [rules.length(1, limits.prefixMax), rules.vno_username],
    sort: true,
    mono: true,
  }),
  agent_name: text(['所属VNO', 'VNO'], { sort: true, tooltip: true, width: 180, to: references.vno }),
  user_count: int(['已用账号数', 'Accounts in use'], { sort: true }),
  remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes], tooltip: true }),
  creator: text(['创建人', 'Created by']),
  create_at: time(['创建时间', 'Created at'], { sort: true }),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option', { required: true }),
};

export const prefix = resource({
  fields,
  title: ['prefix', 'agent_name'],
  columns: ['prefix', 'agent_name', 'user_count', 'remark', 'creator', 'create_at'],
  filters: ['prefix', 'vno_id', 'create_at'],
  orderby: 'create_at desc',
});

const input = pick(fields, 'vno_id', 'prefix', 'remark');

export const prefixCalls = calls('vno', ['vno_prefix'], {
  list: { kind: 'list', path: 'agent/prefix', summary: ['查询账号前缀', 'List account prefixes'], resource: prefix },
  create: { kind: 'create', path: 'agent/prefix', summary: ['新增账号前缀', 'Create an account prefix'], input, output: idOutput },
  remove: { kind: 'delete', path: 'agent/prefix/{id}', summary: ['删除账号前缀', 'Delete an account prefix'] },
  option: {
    kind: 'option',
    path: 'agent/prefix/option',
    access: 'session',
    summary: ['账号前缀选项', 'Option list of account prefixes'],
    // Prefixes allowed for the VNO `id`, or for a new one below `parent_id`. With a subject: those of its accounts or configuration.
    input: { ...subjectInput, ...bindingInput, parent_id: option(['上级VNO', 'Parent VNO'], 'agent/option') },
    shape: shape<Record<string, string>>(),
  },
});

export const vnoPrefix = page({
  ...headOf('vnoPrefix'),
  resource: prefix,
  list: prefixCalls.list,
  forms: { create: form(['新增账号前缀', 'New prefix'], input) },
  actions: {
    create: { on: 'toolbar', label: ['新增前缀', 'New prefix'], call: prefixCalls.create, form: 'create' },
    delete: removeAction(prefixCalls.remove, ['前缀', 'prefix'], { when: (row) => row.user_count === 0 }),
  },
});
