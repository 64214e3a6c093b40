import { calls, shape } from '../kit/endpoint.ts';
import { choice, date, int, money, option, pick, text, time, variant } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { type AnyRow, resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { offerBy } from '../package/offer.ts';
import { references } from '../references.ts';
import { batchInput } from './add.ts';
import { accountStatus } from './choices.ts';
import type { OpeningResult } from './opening.ts';
import { quoteOf } from './quote.ts';
import { userCalls } from './user.ts';
import { bindingFields, byAccount, loginFields, remarkField } from './user-fields.ts';

export const cardSale = [
  { id: 'unsold', label: ['未售出', 'Unsold'], color: 'default' },
  { id: 'sold', label: ['已售出', 'Sold'], color: 'green' },
] as const;
export type CardSale = (typeof cardSale)[number]['id'];

/** Accounts of type `temp_card`: created in advance, sold on paper, activated by first use. */
const fields = {
  account: text(['临时账号', 'Account'], { sort: true, match: 'code', tooltip: true, mono: true, width: 170 }),
  password: text(['密码', 'Password'], { mask: true, mono: true, width: 140 }),
  package_name: text(['套餐名称', 'Package name'], { tooltip: true, width: 160, to: references.package }),
  status: choice(['账号状态', 'Account status'], accountStatus.options),
  /** A card is sold when it is first used, at the price of its package when it was made. */
  sale: choice(['销售状态', 'Sale'], cardSale),
  card_price: money(['制卡时价格', 'Price when made'], { hiddenByDefault: true }),
  bind_name: text(['绑定设备/设备组', 'Bound device or group'], { tooltip: true, width: 170 }),
  allow_logins: int(['允许登录数', 'Allowed logins'], { hiddenByDefault: true }),
  first_use_at: time(['首次使用时间', 'First used at'], { sort: true, hiddenByDefault: true }),
  expire_at: time(['到期时间', 'Expiry date'], { sort: true }),
  producer: text(['制卡人', 'Producer'], { match: 'code' }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
  create_at: time(['制卡时间', 'Made at'], { sort: true }),
  package_id: option(['套餐', 'Package'], 'package/option'),
  device_id: option(['设备', 'Device'], 'device/option'),
  device_group_id: option(['设备组', 'Device group'], 'device/group/option'),
};

export const tempCard = resource({
  fields,
  title: ['account', 'agent_name'],
  columns: [
    'account',
    'password',
    'package_name',
    'status',
    'sale',
    'card_price',
    'bind_name',
    'allow_logins',
    'first_use_at',
    'expire_at',
    'producer',
    'agent_name',
    'create_at',
  ],
  filters: ['account', 'status', 'package_id', 'device_id', 'create_at', 'device_group_id', 'producer', 'expire_at'],
  orderby: 'create_at desc',
});

const cardForm = form(['生成临时卡账号', 'Make temporary card accounts'], {
  count: variant(batchInput.count, { label: ['生成数量', 'Number of cards'], default: 1 }),
  account_prefix: option(batchInput.account_prefix.label, 'agent/prefix/option', byAccount),
  package_id: option(batchInput.package_id.label, 'package/offer', {
    required: true,
    lookupBy: offerBy,
    lookupParams: { account_type: 'temp_card' },
    tips: ['临时卡账号不支持周期套餐', 'Temporary card accounts do not support periodic packages'],
  }),
  allow_logins: variant(loginFields.allow_logins, { tips: undefined }),
  ...bindingFields,
  expire_at: date(['最迟使用日期', 'Use before'], { required: true }),
  ...remarkField,
});

const access = ['user_temp'] as const;

const quote = quoteOf('user/tmp/quote', access, pick(cardForm.fields, 'count', 'package_id'));
export const tempCardForm = { ...cardForm, preview: quote };

export const tempCardCalls = calls('user', access, {
  quote,
  list: { kind: 'list', path: 'user/tmp', summary: ['查询临时卡账号', 'List temporary card accounts'], resource: tempCard },
  create: {
    kind: 'create',
    path: 'user/tmp',
    summary: ['生成临时卡账号', 'Make temporary card accounts'],
    input: tempCardForm.fields,
    shape: shape<OpeningResult>(),
  },
});

const removable = (row: AnyRow) => accountStatus.can('remove', row.status);
const whyRemovable = ['仅已过期或已禁用的账号可以删除', 'Only expired or disabled accounts can be deleted'] as const;

export const userTemp = page({
  ...headOf('userTemp'),
  resource: tempCard,
  list: tempCardCalls.list,
  reveal: userCalls.reveal,
  forms: { create: tempCardForm },
  actions: {
    create: { on: 'toolbar', label: ['生成临时卡', 'Make temporary cards'], call: tempCardCalls.create, form: 'create' },
    exportPart: {
      on: 'batch',
      label: ['导出所选', 'Export selected'],
      call: userCalls.exportSelected,
      params: { account_type: 'temp_card' },
      download: true,
    },
    detail: { on: 'row', label: ['详情', 'Details'], to: '/user/detail/:id' },
    disable: {
      on: 'row',
      label: ['禁用', 'Disable'],
      call: userCalls.forbid,
      params: { operate: 'disable' },
      when: (row) => row.status === 'normal',
      why: ['仅正常状态的账号可以禁用', 'Only a normal account can be disabled'],
      confirm: ['确定禁用该账号吗？', 'Disable this account?'],
    },
    delete: {
      on: 'both',
      label: ['删除', 'Delete'],
      call: userCalls.remove,
      preview: userCalls.removal,
      danger: true,
      when: removable,
      why: whyRemovable,
      confirm: ['确定删除所选临时卡账号吗？', 'Delete the selected temporary card accounts?'],
    },
  },
});
