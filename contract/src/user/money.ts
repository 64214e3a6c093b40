import { payMethod, refundMethod } from '../finance/choices.ts';
import { batchShape, ids } from '../kit/batch.ts';
import { calls } from '../kit/endpoint.ts';
import { choice, int, longText, money, option, password, text } from '../kit/field.ts';
import { cents } from '../kit/money.ts';
import { type Action, form } from '../kit/page.ts';
import type { AnyRow } from '../kit/resource.ts';
import { across, type Rule } from '../kit/rule.ts';
import type { Values } from '../kit/values.ts';
import { limits } from '../limits.ts';
import { offerBy } from '../package/offer.ts';
import { rules } from '../rules.ts';
import { quoteOf } from './quote.ts';

export const rechargeKind = [
  { id: 'package', label: ['续订当前套餐', 'Renew current package'], color: 'blue' },
  { id: 'amount', label: ['账户充值', 'Amount'], color: 'gold' },
  { id: 'card', label: ['充值卡充值', 'Recharge card'], color: 'green' },
] as const;

export const changeEffect = [
  { id: 'now', label: ['立即生效', 'Immediately'], color: 'green' },
  { id: 'next', label: ['下周期生效', 'Next cycle'], color: 'blue' },
] as const;

const ofKind = (kind: string) => (v: Values) => v.kind === kind;
const notByCard = (v: Values) => v.kind !== 'card';

const withinBill: Rule = {
  name: 'bill_max',
  test: (value) => cents(String(value)) <= cents(limits.billMax),
  text: [`单笔金额不能超过${limits.billMax}元`, `A single amount cannot exceed ${limits.billMax} yuan`],
};

/** With full discount nothing is received. */
const amount: Rule = {
  name: 'amount',
  test: (value) => /^\d{1,12}(\.\d{1,2})?$/.test(String(value)),
  text: ['最多两位小数', 'Up to 2 decimals'],
};

const notOfItself = across(
  'balance_of_itself',
  ['余额充值不能用余额支付', 'The balance cannot be topped up from the balance'],
  (value, { kind }) => value !== 'balance' || kind !== 'amount',
  'kind',
);
const isMoney = (v: Values) => v.pay_method !== 'balance';

const payment = {
  discount: money(['优惠金额（元）', 'Discount (yuan)'], { rules: [rules.price_or_zero] }),
  pay_method: choice(['收款方式', 'Collection method'], payMethod, { default: 'cash' }),
  received: money(['实收金额（元）', 'Amount received (yuan)'], {
    rules: [amount],
    tips: ['按应收金额自动填写', 'Filled in automatically with the amount due'],
    when: isMoney,
  }),
  remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes], max: 512 }),
};

const rechargeInput = {
  kind: choice(['充值方式', 'Recharge type'], rechargeKind, { required: true, default: 'package' }),
  amount: money(['充值金额（元）', 'Amount (yuan)'], { required: true, rules: [rules.price, withinBill], when: ofKind('amount') }),
  count: int(['续订份数', 'Periods'], { required: true, rules: [rules.number_range(1, 36)], default: 1, when: ofKind('package') }),
  card_number: text(['充值卡号', 'Card number'], { required: true, rules: [rules.alnum_128], max: 128, when: ofKind('card') }),
  card_password: password(['充值卡密码', 'Card password'], { required: true, rules: [rules.alnum_128], max: 128, when: ofKind('card') }),
  discount: money(payment.discount.label, { rules: payment.discount.rules, when: notByCard }),
  pay_method: choice(payment.pay_method.label, payMethod, { default: 'cash', rules: [notOfItself], when: notByCard }),
  received: money(payment.received.label, {
    rules: [amount],
    tips: payment.received.tips,
    when: (v) => notByCard(v) && isMoney(v),
  }),
  remark: payment.remark,
};

const addInput = {
  package_id: option(['加油包', 'Extra package'], 'package/offer', {
    required: true,
    blank: true,
    lookupBy: offerBy,
    lookupParams: { kind: 'addition' },
  }),
  count: int(['份数', 'Quantity'], { required: true, rules: [rules.number_range(1, 99)], default: 1 }),
  ...payment,
};

const changeInput = {
  package_id: option(['新套餐', 'New package'], 'package/offer', { required: true, blank: true, lookupBy: offerBy }),
  effect: choice(['生效方式', 'Takes effect'], changeEffect, { required: true, default: 'now' }),
  ...payment,
};

const refundInput = {
  pay_method: choice(['退款方式', 'Refund method'], refundMethod, { required: true, default: 'cash' }),
  refunded: money(['实退金额（元）', 'Amount refunded (yuan)'], {
    rules: [amount],
    tips: ['退还全部余额，按余额自动填写', 'The whole balance; filled in automatically'],
  }),
  remark: payment.remark,
};

const pages = ['user_list', 'user_detail', 'user_package'] as const;

export const quoteCalls = {
  recharge: quoteOf('user/recharge/quote', pages, { ids, ...rechargeInput }),
  addPackage: quoteOf('user/add_package/quote', pages, { ids, ...addInput }),
  changePackage: quoteOf('user/package/quote', pages, { ids, ...changeInput }),
  refundBalance: quoteOf('user/refund_balance/quote', ['user_list', 'user_detail'], { ids }),
};

export const moneyForms = {
  recharge: { ...form(['充值', 'Recharge'], rechargeInput), preview: quoteCalls.recharge },
  addPackage: { ...form(['订购加油包', 'Add extra package'], addInput), preview: quoteCalls.addPackage },
  changePackage: { ...form(['变更套餐', 'Change package'], changeInput), preview: quoteCalls.changePackage },
  refundBalance: { ...form(['退还余额', 'Refund balance'], refundInput), preview: quoteCalls.refundBalance },
};

export const moneyCalls = calls('user', ['user_list', 'user_detail', 'user_package'], {
  recharge: {
    kind: 'command',
    path: 'user/recharge',
    access: ['user_list', 'user_detail'],
    summary: ['用户充值', 'Recharge users'],
    input: { ids, ...rechargeInput },
    shape: batchShape,
  },
  addPackage: {
    kind: 'command',
    path: 'user/add_package',
    summary: ['为用户订购加油包', 'Add an extra package to users'],
    input: { ids, ...addInput },
    shape: batchShape,
  },
  changePackage: {
    kind: 'update',
    path: 'user/package',
    summary: ['变更用户套餐', 'Change the package of users'],
    input: { ids, ...changeInput },
    shape: batchShape,
  },
  refundBalance: {
    kind: 'command',
    path: 'user/refund_balance',
    access: ['user_list', 'user_detail'],
    summary: ['退还用户余额', 'Refund the balance of users'],
    input: { ids, ...refundInput },
    shape: batchShape,
  },
});

/** spec §5, as far as a row shows it; the server checks the holdings. */
const mayRecharge = (row: AnyRow) =>
  row.account_type !== 'job' &&
  row.package_status !== 'expired' &&
  row.package_status !== 'not_active' &&
  row.package_periodic !== true &&
  row.package_periodic !== 1;

const oneSource = (rows: readonly AnyRow[]) => new Set(rows.map((row) => row.account_source)).size <= 1;

/** Money actions of the account lists and the detail page. `on` is for a list; the detail page ignores it. */
export const moneyActions = {
  recharge: {
    on: 'both',
    label: ['充值', 'Recharge'],
    call: moneyCalls.recharge,
    form: 'recharge',
    when: mayRecharge,
    why: [
      '工作账号、周期套餐、已过期或未激活的套餐不能充值',
      'Job accounts and periodic, expired or inactive packages cannot be recharged',
    ],
  },
  addPackage: {
    on: 'both',
    label: ['订购加油包', 'Add extra package'],
    call: moneyCalls.addPackage,
    form: 'addPackage',
    when: (row) => row.account_type !== 'job' && (row.package_status === 'normal' || row.package_status === 'exhausted'),
    why: [
      '工作账号不能订购加油包；套餐状态为正常或已用尽时才能订购加油包',
      'Not for job accounts. An extra package requires a package that is normal or exhausted.',
    ],
  },
  changePackage: {
    on: 'both',
    label: ['变更套餐', 'Change package'],
    call: moneyCalls.changePackage,
    form: 'changePackage',
    when: (row) => row.account_type !== 'job' && row.status !== 'disabled',
    whenAll: oneSource,
    why: [
      '所选账号不能包含工作账号、禁用账号或不同来源的账号',
      'The selection cannot contain job accounts, disabled accounts or accounts of different sources',
    ],
  },
  refundBalance: {
    on: 'row',
    label: ['退还余额', 'Refund balance'],
    call: moneyCalls.refundBalance,
    form: 'refundBalance',
    when: (row) => cents(String(row.balance ?? '0')) > 0n,
    hiddenWhenRefused: true,
    why: ['账户余额为零', 'The balance is zero'],
  },
} as const satisfies Record<string, Action>;
