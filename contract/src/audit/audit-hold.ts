import { exportCalls } from '../export/export.ts';
import type { RequestedExport } from '../export/export-log.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, date, option, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import { contentField, reason } from './audit-fields.ts';

const holdState = [
  { id: 'held', label: ['保全中', 'Held'], color: 'red' },
  { id: 'released', label: ['已解除', 'Released'], color: 'default' },
] as const;

export const holds = resource({
  fields: {
    account: text(['上网账号', 'Online account'], {
      mono: true,
      width: 150,
      tips: ['为空表示该VNO的全部数据', 'Empty: all data of the VNO'],
    }),
    from_at: time(['起始时间', 'From'], { width: 164 }),
    to_at: time(['截止时间', 'To'], { width: 164, tips: ['为空表示直到解除', 'Empty: until released'] }),
    state: choice(['状态', 'State'], holdState, { width: 100 }),
    reason: text(['原因', 'Reason'], { tooltip: true, width: 240 }),
    creator: text(['创建人', 'Creator'], { width: 120 }),
    create_at: time(['创建时间', 'Created at'], { sort: true, months: limits.queryMonths, width: 164 }),
    released_at: time(['解除时间', 'Released at'], { hiddenByDefault: true, width: 164 }),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true, width: 150, to: references.vno }),
    vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  },
  title: ['account', 'agent_name'],
  columns: ['account', 'from_at', 'to_at', 'state', 'reason', 'creator', 'agent_name', 'create_at', 'released_at'],
  filters: ['account', 'state', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});

const input = {
  vno_id: option(['所属VNO', 'VNO'], 'agent/option', { tips: ['为空表示本VNO', 'Empty: your own VNO'] }),
  account: text(['上网账号', 'Online account'], {
    max: limits.accountMax,
    tips: ['为空表示该VNO的全部数据', 'Empty: all data of the VNO'],
  }),
  from_at: date(['起始日期', 'From'], { required: true, start: true }),
  to_at: date(['截止日期', 'To'], { rules: [rules.start_before_end('from_at')], tips: ['为空表示直到解除', 'Empty: until released'] }),
  reason,
};

const exportInput = { content: contentField, reason };

export const auditHoldCalls = calls('audit', ['audit_hold'], {
  list: { kind: 'list', path: 'audit/hold', summary: ['查询保全', 'List legal holds'], resource: holds },
  create: { kind: 'create', path: 'audit/hold', summary: ['新增保全', 'Create a legal hold'], input, output: idOutput },
  release: {
    kind: 'command',
    path: 'audit/hold/{id}/release',
    summary: ['解除保全', 'Release a legal hold'],
    input: { reason },
  },
  export: {
    kind: 'command',
    path: 'audit/hold/{id}/export',
    summary: ['导出保全数据', 'Export the data of a legal hold'],
    input: exportInput,
    shape: shape<RequestedExport>(),
  },
});

export const auditHold = page({
  ...headOf('auditHold'),
  resource: holds,
  list: auditHoldCalls.list,
  forms: {
    create: form(['新增保全', 'New legal hold'], input),
    release: form(['解除保全', 'Release the hold'], { reason }),
    export: form(['导出保全数据', 'Export the data of the hold'], exportInput),
  },
  actions: {
    create: { on: 'toolbar', label: ['新增', 'New'], call: auditHoldCalls.create, form: 'create' },
    exports: { on: 'toolbar', label: ['我的导出', 'My exports'], call: exportCalls.list },
    export: {
      on: 'row',
      label: ['导出', 'Export'],
      call: auditHoldCalls.export,
      form: 'export',
      when: (row) => row.state === 'held',
      why: ['保全已解除，其副本已删除', 'The hold is released and its copies are deleted'],
      done: ['已开始导出，完成后在“我的导出”中下载', 'Export started. Download it from My exports when it is complete.'],
    },
    release: {
      on: 'row',
      label: ['解除', 'Release'],
      call: auditHoldCalls.release,
      form: 'release',
      danger: true,
      when: (row) => row.state === 'held',
      why: ['已解除', 'Already released'],
    },
  },
});
