export const payMethod = [
  { id: 'cash', label: ['现金', 'Cash'], color: 'default' },
  { id: 'wechat', label: ['微信支付', 'WeChat Pay'], color: 'green' },
  { id: 'alipay', label: ['支付宝', 'Alipay'], color: 'blue' },
  { id: 'pos', label: ['POS刷卡', 'POS'], color: 'cyan' },
  { id: 'transfer', label: ['银行转账', 'Bank transfer'], color: 'geekblue' },
  { id: 'balance', label: ['账户余额', 'Balance'], color: 'purple' },
  { id: 'free', label: ['免收', 'Free of charge'], color: 'gold' },
] as const;
/** A new account has no balance, and a balance is not topped up from itself. */
export const moneyMethod = payMethod.filter(({ id }) => id !== 'balance');
/** Only cash is held by the operator, counts against the collection limit and is handed over. */
export const cashMethod = 'cash' satisfies PayMethod;
/** How money comes in at the counter and is given back. */
export const refundMethod = moneyMethod.filter(({ id }) => id !== 'free');
export type PayMethod = (typeof payMethod)[number]['id'];
export type CollectedMethod = (typeof refundMethod)[number]['id'];

export const payChannel = [
  { id: 'wechat', label: ['微信支付', 'WeChat Pay'], color: 'green' },
  { id: 'alipay', label: ['支付宝', 'Alipay'], color: 'blue' },
] as const;

/** How an order was paid: by a channel, or wholly from the balance. */
export const orderMethod = [...payChannel, { id: 'balance', label: ['账户余额', 'Balance'], color: 'purple' }] as const;

export const expenseType = [
  { id: 'open', label: ['开户', 'Account opening'], color: 'blue' },
  { id: 'recharge', label: ['充值', 'Recharge'], color: 'green' },
  { id: 'change_package', label: ['变更套餐', 'Package change'], color: 'purple' },
  { id: 'extra_package', label: ['订购加油包', 'Extra package'], color: 'cyan' },
  { id: 'refund', label: ['退费', 'Refund'], color: 'red' },
] as const;

export const billState = [
  { id: 'settled', label: ['已入账', 'Settled'], color: 'green' },
  { id: 'pending', label: ['待入账', 'Pending'], color: 'orange' },
  { id: 'revoked', label: ['已冲正', 'Reversed'], color: 'red' },
] as const;

export const payOrderState = [
  { id: 'paid', label: ['已支付', 'Paid'], color: 'green' },
  { id: 'waiting', label: ['待支付', 'Waiting payment'], color: 'orange' },
  { id: 'expired', label: ['已过期', 'Expired'], color: 'default' },
  { id: 'withdrawn', label: ['已撤销', 'Withdrawn'], color: 'red' },
] as const;
