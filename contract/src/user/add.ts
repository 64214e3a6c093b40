import { moneyMethod } from '../finance/choices.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, int, money, option, text, variant } from '../kit/field.ts';
import type { Text } from '../kit/text.ts';
import type { Values } from '../kit/values.ts';
import { limits } from '../limits.ts';
import { offerBy } from '../package/offer.ts';
import { phoneInput } from '../phone.ts';
import { rules } from '../rules.ts';
import { accountPlace } from './choices.ts';
import type { OpeningResult } from './opening.ts';
import {
  accountFields,
  bindingFields,
  byAccount,
  identityFields,
  loginFields,
  loginInput,
  policySwitch,
  remarkField,
} from './user-fields.ts';

const isCounter = (v: Values) => v.account_source === 'counter';
const isBatch = (v: Values) => v.account_source === 'batch';
const isPaid = (v: Values) => v.account_type !== 'job';

const openingSource = [
  { id: 'counter', label: ['柜台开户', 'Counter creation'] },
  { id: 'batch', label: ['批量开户', 'Batch opening'] },
] as const;

/** The package of a new account and its sale. A job account gets its package without a sale. */
export const saleFields = {
  package_id: option(['套餐', 'Package'], 'package/offer', { required: true, lookupBy: offerBy }),
  amount: money(['实收金额（元）', 'Amount received (yuan)'], {
    rules: [rules.price_or_zero],
    when: isPaid,
    tips: ['不填写则按套餐价格减去优惠金额收取', 'If empty, the package price minus the discount is charged'],
  }),
  discount: money(['优惠金额（元）', 'Discount (yuan)'], { rules: [rules.price_or_zero], when: isPaid }),
  pay_method: choice(['收款方式', 'Collection method'], moneyMethod, { default: 'cash', when: isPaid }),
};

const prefix = option(['账号前缀', 'Account prefix'], 'agent/prefix/option', byAccount);
const prefixTips = [
  '账号由前缀和输入的部分组成；未选择时使用开户配置或VNO的前缀',
  'The account is the prefix plus your input. If no prefix is selected, the one of the opening configuration or the VNO is used.',
] as const;

/** One account at the counter. */
export const counterInput = {
  config_id: option(['开户配置', 'Opening configuration'], 'user/config/option', {
    tips: ['选择后自动带出默认值', 'Fills in the defaults'],
  }),
  account_type: accountFields.account_type,
  account_prefix: variant(prefix, { tips: prefixTips }),
  account: accountFields.account,
  password: accountFields.password,
  repassword: accountFields.repassword,
  ...identityFields,
  ...loginFields,
  ...saleFields,
  ...policySwitch,
  ...remarkField,
};

/** Shown when a number sequence would open accounts that require real names. */
export const needsRealName: Text = ['该类型账号须实名，请使用文件导入', 'Accounts of this type need a real name. Import them from a file.'];

/** Many accounts by rule: prefix and number. */
export const batchInput = {
  account_type: accountFields.account_type,
  account_prefix: variant(prefix, { tips: prefixTips }),
  start_no: text(['起始编号', 'First number'], {
    required: true,
    rules: [rules.digits_128],
    max: 12,
    tips: ['保留前导零；前缀加编号须为4-20位', 'Leading zeros are kept; prefix plus number must be 4-20 characters'],
  }),
  count: int(['开户数量', 'Number of accounts'], {
    required: true,
    rules: [rules.number_range(1, limits.accountsPerDevice)],
    default: 1,
  }),
  password: variant(accountFields.password, { label: ['初始密码', 'Initial password'] }),
  allow_logins: loginFields.allow_logins,
  ...bindingFields,
  package_id: saleFields.package_id,
  expire_at: loginFields.expire_at,
  discount: variant(saleFields.discount, { tips: ['整批合计优惠', 'For the whole batch'] }),
  pay_method: saleFields.pay_method,
  ...remarkField,
};

/** Both forms share one call; fields of one form are ignored for the other. */
const addInput = {
  ...counterInput,
  account_source: choice(['账号来源', 'Account source'], openingSource, { required: true, hidden: true }),
  config_id: variant(counterInput.config_id, { when: isCounter }),
  account: text(counterInput.account.label, { required: true, rules: counterInput.account.rules, max: 20, when: isCounter }),
  repassword: variant(counterInput.repassword, { when: isCounter }),
  name: text(counterInput.name.label, { required: true, rules: counterInput.name.rules, max: 20, when: isCounter }),
  phone: text(counterInput.phone.label, { required: true, rules: counterInput.phone.rules, ...phoneInput, when: isCounter }),
  id_type: variant(counterInput.id_type, { when: isCounter }),
  // The opening configuration of the account type decides whether it is required.
  id_number: variant(counterInput.id_number, { when: isCounter, requiredWhen: undefined }),
  bind_ip: variant(loginInput.bind_ip, { when: isCounter }),
  bind_mac: variant(loginInput.bind_mac, { when: isCounter }),
  vlan_id: variant(loginInput.vlan_id, { when: isCounter }),
  amount: variant(counterInput.amount, { when: (v) => isCounter(v) && isPaid(v) }),
  start_no: text(batchInput.start_no.label, { required: true, rules: batchInput.start_no.rules, max: 12, when: isBatch }),
  count: int(batchInput.count.label, { required: true, rules: batchInput.count.rules, when: isBatch }),
};

/** What an opening would give, before it is sent. */
export interface OpeningTerms {
  /** Null: it depends on the VNO of the device, which is not chosen yet. */
  readonly prefix: string | null;
  /** The account type requires an ID number there. Null: not known yet. */
  readonly realname: boolean | null;
  readonly is_taken: boolean;
}

/** Result of one account. */
export interface Opened {
  readonly id: number;
  readonly account: string;
  /** Null if nothing was sold. */
  readonly bill_no: string | null;
}

export const addCalls = calls('user', ['user_list', 'user_account', 'user_create', 'user_batch'], {
  add: {
    kind: 'create',
    path: 'user/add',
    hiddenModes: [2],
    summary: ['用户开户', 'Open one account (counter) or many by rule (batch)'],
    input: addInput,
    shape: shape<Opened | OpeningResult>(),
  },
  terms: {
    kind: 'tree',
    path: 'user/add/terms',
    hiddenModes: [2],
    summary: ['新账号的前缀与可用性', 'Prefix and availability of a new account'],
    input: {
      account_type: accountFields.account_type,
      account_prefix: int(prefix.label),
      bind_type: choice(bindingFields.bind_type.label, accountPlace),
      device_id: int(bindingFields.device_id.label),
      device_group_id: int(bindingFields.device_group_id.label),
      account: text(accountFields.account.label, { max: 20 }),
    },
    shape: shape<OpeningTerms>(),
  },
});
