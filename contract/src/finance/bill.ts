import { cardType } from '../card/choices.ts';
import { exportInput } from '../export/export.ts';
import { calls, endpoint, shape } from '../kit/endpoint.ts';
import { as, choice, type Fields, int, link, money, option, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { type AnyRow, filterParams, type Resource, resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import { billState, expenseType, payChannel, payMethod, payOrderState } from './choices.ts';
import { payOrderActions, payOrderForms } from './pay-order.ts';
import { receiptCalls } from './receipt.ts';

/** A bill is a ledger entry in the operator's view: net income = income - expend - discount. */
export const billFields = {
  bill_no: link(['账单编号', 'Bill number'], { sort: true, match: 'code', whole: true, mono: true, width: 172 }),
  account: text(['上网账号', 'Online account'], { match: 'code', tooltip: true, to: references.account }),
  user_name: text(['用户名', 'User name'], { sort: true, match: 'name' }),
  package_name: text(['套餐名称', 'Package name'], { tooltip: true, width: 170, to: references.sold }),
  expense_type: choice(['费用类型', 'Expense type'], expenseType, { width: 132 }),
  pay_method: choice(['收款方式', 'Collection method'], payMethod),
  state: choice(['状态', 'State'], billState),
  income: money(['收入', 'Income'], { sort: true }),
  expend: money(['支出', 'Expend']),
  discount: money(['优惠', 'Discount'], { off: true }),
  net_income: money(['净收入', 'Net income'], { sort: true }),
  operator: text(['操作员', 'Operator'], { match: 'code' }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, off: true, to: references.vno }),
  device_name: text(['设备名称', 'Device'], { tooltip: true, off: true, to: references.device }),
  remark: text(['备注', 'Remark'], { tooltip: true, off: true }),
  create_at: time(['创建时间', 'Created at'], { sort: true, months: limits.billMonths }),
  package_id: option(['套餐', 'Package'], 'package/option'),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  device_id: option(['设备', 'Device'], 'device/option'),
};

const onlineFields = {
  ...billFields,
  order_no: text(['支付订单号', 'Payment order'], { match: 'code', tooltip: true, mono: true, off: true, width: 200 }),
  trade_no: text(['第三方流水号', 'Third-party trade number'], { match: 'code', tooltip: true, mono: true, off: true, width: 220 }),
  pay_method: choice(['支付方式', 'Collection method'], payChannel),
  state: choice(['订单状态', 'Order state'], payOrderState),
  pay_at: time(['支付时间', 'Paid at'], { off: true }),
  // Columns of the bill cannot be sorted, because the index is on the orders.
  bill_no: as(billFields.bill_no, { sort: false }),
  user_name: as(billFields.user_name, { sort: false }),
  income: as(billFields.income, { sort: false }),
  net_income: as(billFields.net_income, { sort: false }),
};

const cardFields = {
  ...billFields,
  card_number: text(['充值卡号', 'Card number'], { match: 'code', mono: true, whole: true, width: 146 }),
  card_type: choice(['卡类型', 'Card type'], cardType),
  denomination: money(['面值', 'Denomination'], { off: true }),
  expense_type: as(billFields.expense_type, { off: true }),
  rule_id: option(['制卡批次', 'Card batch'], 'recharge_card_rule/option'),
};

const sums = ['income', 'expend', 'discount', 'net_income'] as const;
const trailingColumns = ['operator', 'agent_name', 'device_name', 'remark'] as const;

export const counterBill = resource({
  fields: billFields,
  columns: [
    'bill_no',
    'account',
    'user_name',
    'package_name',
    ...sums,
    'create_at',
    'expense_type',
    'pay_method',
    'state',
    ...trailingColumns,
  ],
  filters: [
    'bill_no',
    'user_name',
    'operator',
    'expense_type',
    'create_at',
    'account',
    'pay_method',
    'state',
    'package_id',
    'vno_id',
    'device_id',
    'income',
  ],
  orderby: 'create_at desc',
  sums,
});

/** Online payment orders; the sums include only paid ones. */
export const onlineBill = resource({
  fields: onlineFields,
  columns: [
    'bill_no',
    'user_name',
    'package_name',
    ...sums,
    'create_at',
    'state',
    'expense_type',
    'pay_method',
    'pay_at',
    'order_no',
    'trade_no',
    ...trailingColumns,
  ],
  filters: [
    'bill_no',
    'user_name',
    'state',
    'pay_method',
    'create_at',
    'order_no',
    'trade_no',
    'expense_type',
    'package_id',
    'vno_id',
    'device_id',
  ],
  orderby: 'create_at desc',
  sums,
});

export const cardBill = resource({
  fields: cardFields,
  columns: [
    'bill_no',
    'account',
    'user_name',
    'package_name',
    'card_number',
    ...sums,
    'create_at',
    'card_type',
    'denomination',
    'expense_type',
    'state',
    ...trailingColumns,
  ],
  filters: [
    'bill_no',
    'user_name',
    'card_number',
    'card_type',
    'create_at',
    'account',
    'rule_id',
    'package_id',
    'operator',
    'vno_id',
    'device_id',
  ],
  orderby: 'create_at desc',
  sums,
});

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
  const fields: Fields = Object.assign({}, ...r.filters.flatMap((key) => (r.fields[key] ? [filterParams(key, r.fields[key])] : [])));
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
    output: idOutput,
  },
  exportOnline: {
    kind: 'export',
    path: 'bill/export/electronic',
    access: ['bill_online'],
    summary: ['导出在线账单', 'Export online bills'],
    resource: onlineBill,
    input: exportInput,
    output: idOutput,
  },
  exportCard: {
    kind: 'export',
    path: 'bill/export/card',
    access: ['bill_card'],
    summary: ['导出充值卡账单', 'Export card bills'],
    resource: cardBill,
    input: exportInput,
    output: idOutput,
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
