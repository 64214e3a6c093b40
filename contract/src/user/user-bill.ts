import { exportInput, exportOutput } from '../export/export.ts';
import { exportLog } from '../finance/bill.ts';
import { billFields } from '../finance/bill-lists.ts';
import { calls } from '../kit/endpoint.ts';
import { choice, int, text, time, variant } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { accountSource, accountType } from './choices.ts';

const fields = {
  ...billFields,
  bill_no: variant(billFields.bill_no, { to: references.bill }),
  user_name: text(['用户姓名', 'User name'], { match: 'name' }),
  account_type: choice(['账号类型', 'Account type'], accountType, { width: 124 }),
  account_source: choice(['账号来源', 'Account source'], accountSource),
  count: int(['开户数量', 'Accounts'], { hiddenByDefault: true }),
  bind_name: text(['绑定设备/设备组', 'Bound device or group'], { tooltip: true, hiddenByDefault: true }),
  create_at: time(['开户时间', 'Opened at'], { sort: true, months: limits.billMonths }),
};

export const openingBill = resource({
  fields,
  title: ['bill_no', 'account'],
  columns: [
    'bill_no',
    'account',
    'user_name',
    'package_name',
    'income',
    'discount',
    'net_income',
    'create_at',
    'account_type',
    'account_source',
    'count',
    'pay_method',
    'bind_name',
    'agent_name',
    'operator',
    'remark',
  ],
  filters: [
    'account',
    'bill_no',
    'operator',
    'account_source',
    'create_at',
    'account_type',
    'package_id',
    'pay_method',
    'device_id',
    'vno_id',
    'income',
  ],
  orderby: 'create_at desc',
  sums: ['income', 'discount', 'net_income'],
});

export const userBillCalls = calls('user', ['user_bill'], {
  list: { kind: 'list', path: 'user/add_log', summary: ['查询开户账单', 'List account-opening bills'], resource: openingBill },
  export: {
    kind: 'export',
    path: 'user/add_log/export',
    summary: ['导出开户账单', 'Export account-opening bills'],
    resource: openingBill,
    input: exportInput,
    output: exportOutput,
  },
});

export const userBill = page({
  ...headOf('userBill'),
  resource: openingBill,
  list: userBillCalls.list,
  forms: {},
  actions: { export: { on: 'toolbar', label: ['导出', 'Export'], call: userBillCalls.export }, exportLog },
});
