import { ids } from '../kit/batch.ts';
import { isEmpty } from '../kit/check.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, int, longText, money, option, text, time } from '../kit/field.ts';
import { cents } from '../kit/money.ts';
import { type Action, form } from '../kit/page.ts';
import type { Rule } from '../kit/rule.ts';
import type { Values } from '../kit/values.ts';
import { limits } from '../limits.ts';
import { offerTo } from '../package/offer.ts';
import { rules } from '../rules.ts';
import { quoteOf } from '../user/quote.ts';
import { orderMethod, payChannel, payOrderState } from './choices.ts';

const orderFor = [
  { id: 'recharge', label: ['充值', 'Recharge'], color: 'green' },
  { id: 'extra_package', label: ['订购加油包', 'Extra package'], color: 'cyan' },
] as const;

const orderKind = [
  { id: 'amount', label: ['账户充值', 'Amount'], color: 'gold' },
  { id: 'package', label: ['续订当前套餐', 'Renew current package'], color: 'blue' },
] as const;

const isExtra = (v: Values) => v.expense_type === 'extra_package';
const isAmount = (v: Values) => v.expense_type === 'recharge' && v.kind === 'amount';
const hasCount = (v: Values) => isExtra(v) || v.kind === 'package';

const withinBill: Rule = {
  name: 'bill_max',
  test: (value) => cents(String(value)) <= cents(limits.billMax),
  text: [`单笔金额不能超过${limits.billMax}元`, `A single amount cannot exceed ${limits.billMax} yuan`],
};

const orderFields = {
  channel: choice(['支付渠道', 'Channel'], payChannel, { required: true, default: 'wechat' }),
  expense_type: choice(['费用类型', 'Expense type'], orderFor, { required: true, default: 'recharge' }),
  kind: choice(['充值方式', 'Recharge type'], orderKind, { required: true, default: 'amount', when: (v) => v.expense_type === 'recharge' }),
  amount: money(['充值金额（元）', 'Amount (yuan)'], { required: true, rules: [rules.price, withinBill], when: isAmount }),
  package_id: option(['加油包', 'Extra package'], 'package/offer', {
    required: true,
    lookupBy: offerTo,
    lookupParams: { kind: 'addition' },
    when: isExtra,
  }),
  count: int(['份数', 'Quantity'], { required: true, rules: [rules.number_range(1, 36)], default: 1, when: hasCount }),
  remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes], max: 512 }),
};

const account = text(['上网账号', 'Online account'], { rules: [rules.no_cn_space], max: 64, requiredWhen: (v) => isEmpty(v.user_id) });

const order = {
  id: int(['ID', 'ID'], { required: true }),
  order_no: text(['支付订单号', 'Payment order'], { required: true }),
  channel: choice(['支付渠道', 'Channel'], orderMethod, { required: true }),
  state: choice(['订单状态', 'Order state'], payOrderState, { required: true }),
  amount: money(['金额', 'Amount'], { required: true }),
  user_name: text(['用户名', 'User name']),
  package_name: text(['套餐名称', 'Package name']),
  /** Payment code; present only while it can be scanned. */
  pay_url: text(['收款码', 'Payment code']),
  /** The bill of a paid order. */
  bill_no: text(['账单号', 'Bill number']),
  pay_at: time(['支付时间', 'Paid at']),
  expire_at: time(['过期时间', 'Expires at'], { required: true }),
};

const access = ['bill_online'] as const;

export interface Withdrawn {
  /** The bill of the refund; null if nothing was paid. */
  readonly bill_no: string | null;
  readonly amount: string;
}

/** These calls contact the payment provider, so they manage their own transactions and write the operator log themselves. */
export const payOrderCalls = calls('finance', access, {
  create: {
    kind: 'auth',
    path: 'pay/order',
    summary: ['新建收款单', 'Make a payment order'],
    input: { user_id: int(['用户', 'User'], { hidden: true }), account, ...orderFields },
    output: order,
  },
  read: { kind: 'detail', path: 'pay/order/{id}', summary: ['查询支付订单', 'Read a payment order'], output: order },
  withdraw: {
    kind: 'auth',
    path: 'pay/order/{id}/withdraw',
    summary: ['撤销支付订单', 'Withdraw a payment order'],
    shape: shape<Withdrawn>(),
  },
});

const quote = quoteOf('pay/order/quote', access, { user_id: int(['用户', 'User'], { hidden: true }), account, ...orderFields });
const withdrawal = quoteOf('pay/order/withdraw/quote', access, { ids });
export const payOrderQuote = { quote, withdrawal };

export const payOrderForms = {
  online: { ...form(['新建收款单', 'New payment order'], { account, ...orderFields }), preview: quote },
  withdraw: { ...form(['撤销订单', 'Withdraw order'], {}), preview: withdrawal },
};

export const payOrderActions = {
  online: { on: 'toolbar', label: ['新建收款单', 'New payment order'], call: payOrderCalls.create, form: 'online' },
  code: {
    on: 'row',
    label: ['收款码', 'Payment code'],
    call: payOrderCalls.read,
    when: (row) => row.state === 'waiting',
    why: ['仅待支付的订单有收款码', 'Only unpaid orders have a payment code'],
  },
  withdraw: {
    on: 'row',
    label: ['撤销', 'Withdraw'],
    call: payOrderCalls.withdraw,
    form: 'withdraw',
    danger: true,
    when: (row) => row.state === 'waiting' || row.state === 'paid',
    why: ['仅待支付或已支付的订单可以撤销', 'Only orders that are unpaid or paid can be withdrawn'],
  },
} as const satisfies Record<string, Action>;
