import { cardType } from '../card/choices.ts';
import { choice, link, money, option, text, time, variant } from '../kit/field.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { references } from '../references.ts';
import { billState, expenseType, orderMethod, payMethod, payOrderState } from './choices.ts';

const balanceTips = [
  '已在充值时计入收入；负数为退回余额',
  'Counted as income when the balance was topped up; negative: returned to the balance',
] as const;

/** A bill is a ledger entry in the operator's view: net income = income - expend - discount. */
export const billFields = {
  bill_no: link(['账单编号', 'Bill number'], { sort: true, match: 'code', noTruncate: true, mono: true, width: 196 }),
  account: text(['上网账号', 'Online account'], { match: 'code', tooltip: true, to: references.account }),
  user_name: text(['用户名', 'User name'], { sort: true, match: 'name' }),
  package_name: text(['套餐名称', 'Package name'], { tooltip: true, width: 170, to: references.sold }),
  expense_type: choice(['费用类型', 'Expense type'], expenseType, { width: 132 }),
  pay_method: choice(['收款方式', 'Collection method'], payMethod),
  state: choice(['状态', 'State'], billState),
  income: money(['收入', 'Income'], { sort: true }),
  expend: money(['支出', 'Expense']),
  discount: money(['优惠', 'Discount'], { hiddenByDefault: true }),
  net_income: money(['净收入', 'Net income'], { sort: true }),
  balance_part: money(['余额支付', 'From balance'], { tips: balanceTips }),
  operator: text(['操作员', 'Operator'], { match: 'code' }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
  device_name: text(['设备名称', 'Device'], { tooltip: true, hiddenByDefault: true, to: references.device }),
  remark: text(['备注', 'Remark'], { tooltip: true, hiddenByDefault: true }),
  create_at: time(['创建时间', 'Created at'], { sort: true, months: limits.billMonths }),
  package_id: option(['套餐', 'Package'], 'package/option'),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  device_id: option(['设备', 'Device'], 'device/option'),
};

const onlineFields = {
  ...billFields,
  order_no: text(['支付订单号', 'Payment order'], { match: 'code', tooltip: true, mono: true, hiddenByDefault: true, width: 200 }),
  trade_no: text(['第三方流水号', 'Third-party trade number'], {
    match: 'code',
    tooltip: true,
    mono: true,
    hiddenByDefault: true,
    width: 220,
  }),
  pay_method: choice(['支付方式', 'Collection method'], orderMethod),
  state: choice(['订单状态', 'Order state'], payOrderState),
  amount: money(['订单金额', 'Order amount']),
  pay_at: time(['支付时间', 'Paid at'], { hiddenByDefault: true }),
  // Columns of the bill cannot be sorted, because the index is on the orders.
  bill_no: variant(billFields.bill_no, { sort: false }),
  user_name: variant(billFields.user_name, { sort: false }),
  income: variant(billFields.income, { sort: false }),
  net_income: variant(billFields.net_income, { sort: false }),
};

const cardFields = {
  ...billFields,
  card_number: text(['充值卡号', 'Card number'], { match: 'code', mono: true, noTruncate: true, width: 146 }),
  card_type: choice(['卡类型', 'Card type'], cardType),
  denomination: money(['面值', 'Denomination'], { hiddenByDefault: true }),
  expense_type: variant(billFields.expense_type, { hiddenByDefault: true }),
  rule_id: option(['制卡批次', 'Card batch'], 'recharge_card_rule/option'),
};

const sums = ['income', 'expend', 'discount', 'net_income'] as const;
const trailingColumns = ['operator', 'agent_name', 'device_name', 'remark'] as const;

export const counterBill = resource({
  fields: billFields,
  title: ['bill_no', 'account'],
  columns: [
    'bill_no',
    'account',
    'user_name',
    'package_name',
    ...sums,
    'balance_part',
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

/** Online payment orders with their price; only paid ones have an income. */
export const onlineBill = resource({
  fields: onlineFields,
  title: ['bill_no', 'account'],
  columns: [
    'bill_no',
    'account',
    'user_name',
    'package_name',
    'amount',
    ...sums,
    'balance_part',
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
    'account',
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
  title: ['bill_no', 'account'],
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
