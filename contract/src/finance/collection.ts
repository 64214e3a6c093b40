import { exportInput, exportOutput } from '../export/export.ts';
import { calls } from '../kit/endpoint.ts';
import { choice, date, int, money, option, text } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { refundMethod } from './choices.ts';

/** What an operator collected at the counter on one day by one method. */
export const collection = resource({
  fields: {
    day: date(['日期', 'Day'], { sort: true, months: limits.billMonths }),
    operator: text(['操作员', 'Operator'], { match: 'name' }),
    pay_method: choice(['收款方式', 'Collection method'], refundMethod),
    bills: int(['账单数', 'Bills']),
    income: money(['收款', 'Received']),
    expend: money(['退款', 'Given back']),
    net_income: money(['净收款', 'Net']),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true, to: references.vno }),
    vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  },
  title: ['operator', 'agent_name'],
  columns: ['day', 'operator', 'pay_method', 'bills', 'income', 'expend', 'net_income', 'agent_name'],
  filters: ['day', 'operator', 'pay_method', 'vno_id'],
  orderby: 'day desc',
  sums: ['income', 'expend', 'net_income'],
});

export const collectionCalls = calls('finance', ['collection_day'], {
  list: {
    kind: 'list',
    path: 'cash/collection',
    summary: ['查询收款日报', 'List what operators collected by day and method'],
    resource: collection,
  },
  export: {
    kind: 'export',
    path: 'cash/collection/export',
    summary: ['导出收款日报', 'Export the daily report of collections'],
    resource: collection,
    input: exportInput,
    output: exportOutput,
  },
});

export const collectionDay = page({
  ...headOf('collectionDay'),
  resource: collection,
  list: collectionCalls.list,
  forms: {},
  actions: { export: { on: 'toolbar', label: ['导出', 'Export'], call: collectionCalls.export } },
});
