import { exportInput, exportOutput } from '../export/export.ts';
import { calls } from '../kit/endpoint.ts';
import { choice, int, longText, money, option, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { rules } from '../rules.ts';

/** A month can be settled when it is over. A later refund is in the month in which it happens. */
export const settlementState = [
  { id: 'running', label: ['进行中', 'Running'], color: 'blue' },
  { id: 'open', label: ['待结算', 'To be settled'], color: 'orange' },
  { id: 'settled', label: ['已结算', 'Settled'], color: 'green' },
] as const;
export type SettlementState = (typeof settlementState)[number]['id'];

const fields = {
  period: text(['月份', 'Month'], { sort: true, match: 'start', mono: true, width: 96 }),
  collector_name: text(['代收VNO', 'Collected by'], { tooltip: true, width: 150 }),
  agent_name: text(['所属VNO', 'For VNO'], { tooltip: true, width: 150 }),
  payments: int(['支付笔数', 'Payments']),
  paid: money(['代收金额', 'Collected']),
  refunds: int(['退款笔数', 'Refunds']),
  refunded: money(['退款金额', 'Refunded']),
  net: money(['应付所属VNO', 'Owed to the VNO'], { width: 140 }),
  state: choice(['结算状态', 'State'], settlementState),
  settled_at: time(['结算时间', 'Settled at']),
  settled_by: text(['结算人', 'Settled by']),
  note: text(['结算备注', 'Note'], { tooltip: true }),
  vno_id: option(['所属VNO', 'For VNO'], 'agent/option'),
};

export const settlement = resource({
  fields,
  title: ['period', 'agent_name'],
  columns: [
    'period',
    'collector_name',
    'agent_name',
    'paid',
    'refunded',
    'net',
    'state',
    'payments',
    'refunds',
    'settled_at',
    'settled_by',
    'note',
  ],
  filters: ['period', 'state', 'vno_id', 'collector_name'],
  orderby: 'period desc',
  sums: ['paid', 'refunded', 'net'],
});

const noteForm = form(['标记为已结算', 'Mark as settled'], {
  note: longText(['结算备注', 'Note'], {
    required: true,
    rules: [rules.free_512, rules.no_quotes],
    max: 512,
    tips: ['例如转账日期和凭证号', 'For example date and reference of the transfer'],
  }),
});

export const settlementCalls = calls('finance', ['settlement'], {
  list: {
    kind: 'list',
    path: 'settlement',
    summary: ['查询代收结算', 'List what VNOs collected for each other by month'],
    resource: settlement,
  },
  export: {
    kind: 'export',
    path: 'settlement/export',
    summary: ['导出代收结算', 'Export settlements between VNOs'],
    resource: settlement,
    input: exportInput,
    output: exportOutput,
  },
  settle: {
    kind: 'command',
    path: 'settlement/{id}/settle',
    summary: ['标记月份已结算', 'Mark a month as settled'],
    input: noteForm.fields,
  },
  reopen: { kind: 'command', path: 'settlement/{id}/reopen', summary: ['撤销结算标记', 'Withdraw the mark of a month as settled'] },
});

export const settlementPage = page({
  ...headOf('settlement'),
  resource: settlement,
  list: settlementCalls.list,
  forms: { settle: noteForm },
  actions: {
    export: { on: 'toolbar', label: ['导出', 'Export'], call: settlementCalls.export },
    settle: {
      on: 'row',
      label: ['标记已结算', 'Mark as settled'],
      call: settlementCalls.settle,
      form: 'settle',
      when: (row) => row.state === 'open',
      why: ['月份结束后才能结算，已结算的月份不能重复结算', 'Only a month that is over and not settled yet'],
    },
    reopen: {
      on: 'row',
      label: ['撤销结算', 'Withdraw the mark'],
      call: settlementCalls.reopen,
      confirm: ['确定撤销该月份的结算标记吗？', 'Withdraw the mark of this month as settled?'],
      when: (row) => row.state === 'settled',
      hiddenWhenRefused: true,
    },
  },
});
