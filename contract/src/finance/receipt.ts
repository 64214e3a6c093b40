import { calls } from '../kit/endpoint.ts';
import { choice, image, int, money, text, time } from '../kit/field.ts';
import { limits } from '../limits.ts';
import { references } from '../references.ts';
import { expenseType, payMethod } from './choices.ts';

const fields = {
  bill_no: text(['账单号', 'Bill number'], { required: true, mono: true, to: references.bill }),
  /** If paid online or by card: the number in that list. A refund has the number of the refunded bill. */
  online_no: text(['在线账单号', 'Online bill number']),
  card_no: text(['卡账单号', 'Card bill number']),
  create_at: time(['时间', 'Time'], { required: true }),
  agent_name: text(['所属VNO', 'VNO'], { required: true, to: references.vno }),
  /** URL path of the logo of that VNO. */
  agent_logo: image(['Logo', 'Logo']),
  account: text(['上网账号', 'Online account'], { to: references.account }),
  user_name: text(['姓名', 'Full name']),
  expense_type: choice(['费用类型', 'Expense type'], expenseType, { required: true }),
  package_name: text(['套餐名称', 'Package'], { to: references.sold }),
  extra_name: text(['加油包', 'Extra package']),
  card_number: text(['充值卡号', 'Card number']),
  count: int(['数量', 'Quantity'], { required: true }),
  price: money(['单价', 'Unit price'], { required: true }),
  income: money(['金额', 'Amount'], { required: true }),
  discount: money(['优惠', 'Discount'], { required: true }),
  expend: money(['退还', 'Given back'], { required: true }),
  balance_part: money(['余额支付', 'From balance'], { required: true }),
  net_income: money(['实收', 'Received'], { required: true }),
  pay_method: choice(['收款方式', 'Collection method'], payMethod),
  operator: text(['操作员', 'Operator'], { required: true }),
  remark: text(['备注', 'Remark']),
};

export const receiptFields = fields;

export const receiptCalls = calls(
  'finance',
  [
    'user_list',
    'user_detail',
    'user_package',
    'user_create',
    'user_account',
    'user_batch',
    'user_temp',
    'user_bill',
    'bill_counter',
    'bill_online',
    'bill_card',
  ],
  {
    read: {
      kind: 'detail',
      path: 'bill/receipt',
      summary: ['查询账单收据', 'Read the receipt of a bill'],
      input: { bill_no: text(fields.bill_no.label, { required: true, max: limits.billNoMax }) },
      output: fields,
    },
  },
);
