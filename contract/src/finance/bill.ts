import { exportInput, exportOutput } from '../export/export.ts';
import { calls, endpoint, shape } from '../kit/endpoint.ts';
import { type Fields, int } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { type AnyRow, filterFields, type Resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { rules } from '../rules.ts';
import { cardBill, counterBill, onlineBill } from './bill-lists.ts';
import { payOrderActions, payOrderForms } from './pay-order.ts';
import { receiptCalls } from './receipt.ts';

export interface BillSum {
  readonly label: string;
  readonly income: string;
  readonly net_income: string;
}

/** Income by day, VNO and package, largest first. A bill without a package, or with a hidden one, has no name. */
export interface BillChart {
  readonly start_at: number;
  readonly end_at: number;
  readonly days: readonly BillSum[];
  readonly vnos: readonly BillSum[];
  readonly packages: readonly BillSum[];
}

/** The filters of a list as input of another call. */
const filtersAsInput = (r: Resource): Fields => {
  const fields = filterFields(r);
  const { create_at_end: end } = fields;
  const range = [rules.start_before_end('create_at_start'), rules.query_range('create_at_start', limits.billMonths)];
  return { ...fields, ...(end && { create_at_end: { ...end, rules: range } }) };
};

const chartOf = <const P extends string, const K extends string>(path: P, key: K, r: Resource) =>
  endpoint({
    method: 'GET',
    path,
    kind: 'detail',
    module: 'finance',
    access: [key],
    summary: ['账单收入图表', 'Income of bills by day, VNO and package'],
    input: filtersAsInput(r),
    shape: shape<BillChart>(),
  });

export const billCalls = calls('finance', ['bill_counter'], {
  counter: {
    kind: 'list',
    path: 'bill/counter',
    summary: ['查询柜台账单', 'List counter bills with sums'],
    resource: counterBill,
    input: { user_id: int(['用户', 'User'], { hidden: true }) },
  },
  online: {
    kind: 'list',
    path: 'bill/online',
    access: ['bill_online'],
    summary: ['查询在线账单', 'List online payment orders with sums'],
    resource: onlineBill,
  },
  card: {
    kind: 'list',
    path: 'bill/card',
    access: ['bill_card'],
    summary: ['查询充值卡账单', 'List card bills with sums'],
    resource: cardBill,
  },
  exportCounter: {
    kind: 'export',
    path: 'bill/export/counter',
    summary: ['导出柜台账单', 'Export counter bills'],
    resource: counterBill,
    input: exportInput,
    output: exportOutput,
  },
  exportOnline: {
    kind: 'export',
    path: 'bill/export/electronic',
    access: ['bill_online'],
    summary: ['导出在线账单', 'Export online bills'],
    resource: onlineBill,
    input: exportInput,
    output: exportOutput,
  },
  exportCard: {
    kind: 'export',
    path: 'bill/export/card',
    access: ['bill_card'],
    summary: ['导出充值卡账单', 'Export card bills'],
    resource: cardBill,
    input: exportInput,
    output: exportOutput,
  },
  chartCounter: chartOf('bill/chart/counter', 'bill_counter', counterBill),
  chartOnline: chartOf('bill/chart/online', 'bill_online', onlineBill),
  chartCard: chartOf('bill/chart/card', 'bill_card', cardBill),
  check: {
    kind: 'detail',
    path: 'bill/check',
    access: ['bill_counter', 'bill_online', 'bill_card'],
    summary: ['核对账目是否平衡', 'Check that the books balance'],
    shape: shape<{ readonly balanced: boolean; readonly off: string; readonly accounts: number }>(),
  },
});

/** Link to the log of all bill exports. */
export const exportLog = { on: 'toolbar', label: ['导出记录', 'Export log'], to: '/log/bill-export' } as const;
const exportBills = { on: 'toolbar', label: ['导出', 'Export'] } as const;

const receipt = {
  on: 'row',
  label: ['收据', 'Receipt'],
  call: receiptCalls.read,
  when: (row: AnyRow) => typeof row.bill_no === 'string',
  why: ['尚未入账，没有收据', 'Not booked yet, no receipt'],
} as const;

export const billCounter = page({
  ...headOf('billCounter'),
  resource: counterBill,
  list: billCalls.counter,
  forms: {},
  actions: { export: { ...exportBills, call: billCalls.exportCounter }, exportLog, receipt },
});

export const billOnline = page({
  ...headOf('billOnline'),
  resource: onlineBill,
  list: billCalls.online,
  forms: payOrderForms,
  actions: {
    online: payOrderActions.online,
    export: { ...exportBills, call: billCalls.exportOnline },
    code: payOrderActions.code,
    receipt,
    withdraw: payOrderActions.withdraw,
  },
});

export const billCard = page({
  ...headOf('billCard'),
  resource: cardBill,
  list: billCalls.card,
  forms: {},
  actions: { export: { ...exportBills, call: billCalls.exportCard }, exportLog, receipt },
});
