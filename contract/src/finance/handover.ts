import { exportInput, exportOutput } from '../export/export.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { image, link, longText, money, option, pick, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import type { Quote } from '../user/quote.ts';

/** The receiver enters the hand-over, so it is confirmed at once. */
const fields = {
  receipt_no: link(['收据编号', 'Receipt number'], { required: true, sort: true, match: 'code', noTruncate: true, mono: true, width: 190 }),
  clerk: text(['交款人', 'Handed over by'], { required: true, match: 'name' }),
  amount: money(['交款金额', 'Amount'], { required: true, sort: true }),
  cash_before: money(['交款前现金', 'Cash before'], { required: true, hiddenByDefault: true }),
  cash_after: money(['交款后现金', 'Cash left'], { required: true }),
  receiver: text(['接收人', 'Received by'], { required: true, match: 'name' }),
  agent_name: text(['所属VNO', 'VNO'], { required: true, tooltip: true, to: references.vno }),
  remark: text(['备注', 'Remark'], { tooltip: true }),
  create_at: time(['交款时间', 'Handed over at'], { required: true, sort: true, months: limits.billMonths }),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  customer_id: option(['交款人', 'Handed over by'], 'cash/clerk/option'),
};

export const handover = resource({
  fields,
  title: ['receipt_no', 'clerk'],
  columns: ['receipt_no', 'clerk', 'amount', 'cash_before', 'cash_after', 'receiver', 'create_at', 'agent_name', 'remark'],
  filters: ['receipt_no', 'clerk', 'receiver', 'create_at', 'vno_id', 'amount'],
  orderby: 'create_at desc',
  sums: ['amount'],
});

const receiptFields = {
  ...pick(fields, 'receipt_no', 'create_at', 'agent_name'),
  /** URL path of the logo of that VNO. */
  agent_logo: image(['Logo', 'Logo']),
  ...pick(fields, 'clerk', 'receiver', 'cash_before', 'amount', 'cash_after', 'remark'),
};
export const handoverReceipt = receiptFields;

const input = {
  customer_id: option(fields.customer_id.label, 'cash/clerk/option', {
    required: true,
    empty: ['没有持有现金的同事', 'No colleague holds cash'],
  }),
  amount: money(['交款金额（元）', 'Amount (yuan)'], { required: true, rules: [rules.price] }),
  remark: longText(fields.remark.label, { rules: [rules.free_512, rules.no_quotes], max: 512 }),
};

const reverseForm = form(['冲正交款', 'Reverse a hand-over'], {
  remark: longText(['冲正原因', 'Reason'], { required: true, blank: true, rules: [rules.free_512, rules.no_quotes], max: 512 }),
});

export interface ClerkOption {
  readonly name: string;
}

export const handoverCalls = calls('finance', ['cash_handover'], {
  list: { kind: 'list', path: 'cash/handover', summary: ['查询现金交款', 'List hand-overs of cash'], resource: handover },
  create: {
    kind: 'create',
    path: 'cash/handover',
    summary: ['登记收到的现金交款', 'Record cash received from a clerk'],
    input,
    output: { ...idOutput, receipt_no: fields.receipt_no },
  },
  reverse: {
    kind: 'create',
    path: 'cash/handover/{id}/reverse',
    summary: ['冲正现金交款', 'Reverse a hand-over of cash'],
    input: reverseForm.fields,
    output: { ...idOutput, receipt_no: fields.receipt_no },
  },
  quote: {
    kind: 'tree',
    path: 'cash/handover/quote',
    summary: ['查询交款人持有的现金', 'Read the cash that a clerk holds'],
    input: { customer_id: input.customer_id, amount: money(input.amount.label) },
    shape: shape<Quote>(),
  },
  read: {
    kind: 'detail',
    path: 'cash/handover/{id}',
    summary: ['查询交款收据', 'Read the receipt of a hand-over'],
    output: receiptFields,
  },
  export: {
    kind: 'export',
    path: 'cash/handover/export',
    summary: ['导出现金交款', 'Export hand-overs of cash'],
    resource: handover,
    input: exportInput,
    output: exportOutput,
  },
  clerks: {
    kind: 'option',
    path: 'cash/clerk/option',
    summary: ['持有现金的员工选项', 'Option list of staff who hold cash'],
    shape: shape<Record<string, ClerkOption>>(),
  },
});

export const cashHandover = page({
  ...headOf('cashHandover'),
  resource: handover,
  list: handoverCalls.list,
  forms: { create: { ...form(['登记交款', 'Receive cash'], input), preview: handoverCalls.quote }, reverse: reverseForm },
  actions: {
    create: { on: 'toolbar', label: ['登记交款', 'Receive cash'], call: handoverCalls.create, form: 'create' },
    export: { on: 'toolbar', label: ['导出', 'Export'], call: handoverCalls.export },
    receipt: { on: 'row', label: ['收据', 'Receipt'], call: handoverCalls.read },
    reverse: {
      on: 'row',
      label: ['冲正', 'Reverse'],
      call: handoverCalls.reverse,
      form: 'reverse',
      danger: true,
      when: (row) => row.is_reversible === true,
      why: ['该交款已冲正', 'Already reversed'],
    },
  },
});
