import { calls, shape } from '../kit/endpoint.ts';
import { bool, choice, int, longText, option, pick, text, time, variant } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import { accountType } from './choices.ts';
import { demoCall } from './import-user.ts';

/** Opening rules for one account type of one VNO. Each pair has one configuration, created with the VNO. */
const fields = {
  name: text(['配置名称', 'Configuration'], {
    required: true,
    rules: [rules.text_cn_128, rules.no_quotes],
    max: 128,
    sort: true,
    width: 160,
  }),
  account_type: choice(['账号类型', 'Account type'], accountType, { readonly: true, width: 190 }),
  account_prefix: text(['账号前缀', 'Account prefix'], { mono: true }),
  package_name: text(['默认套餐', 'Default package'], { tooltip: true, width: 150, to: references.package }),
  allow_logins: int(['允许登录数', 'Allowed logins'], { required: true, rules: [rules.allow_logins], default: 1 }),
  valid_days: int(['账号有效天数', 'Valid days'], { required: true, rules: [rules.number_range(1, 3650)], default: 365, sort: true }),
  realname: bool(['须实名', 'Real-name required'], { default: true }),
  application_name: text(['默认应用模板', 'Default application template'], {
    tooltip: true,
    hiddenByDefault: true,
    to: references.appTemplate,
  }),
  policy_name: text(['默认信控模板', 'Default credit control template'], {
    tooltip: true,
    hiddenByDefault: true,
    to: references.controlTemplate,
  }),
  user_count: int(['已开户数', 'Accounts opened'], { sort: true }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, sort: true, width: 170, to: references.vno }),
  update_at: time(['更新时间', 'Updated at'], { sort: true }),
  package_id: option(['默认套餐', 'Default package'], 'package/option'),
  application_id: option(['默认应用模板', 'Default application template'], 'application/option', {
    tips: ['账号默认策略优先级最高', 'The account default has the highest policy priority'],
  }),
  policy_id: option(['默认信控模板', 'Default credit control template'], 'policy/option', {
    tips: ['账号默认策略优先级最高', 'The account default has the highest policy priority'],
  }),
  remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes], max: 512 }),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};

export const openConfig = resource({
  fields,
  title: ['name', 'agent_name'],
  columns: [
    'name',
    'account_type',
    'agent_name',
    'account_prefix',
    'package_name',
    'allow_logins',
    'valid_days',
    'realname',
    'application_name',
    'policy_name',
    'user_count',
    'update_at',
  ],
  filters: ['name', 'account_type', 'package_id', 'realname', 'vno_id'],
  orderby: 'update_at desc',
});

/** The options belong to the VNO of the configuration or to one above it. */
const ofConfig = { lookupBy: ['id'], lookupParams: { subject: 'config' } } as const;
const input = {
  name: fields.name,
  account_type: fields.account_type,
  account_prefix: option(fields.account_prefix.label, 'agent/prefix/option', ofConfig),
  package_id: option(fields.package_id.label, 'package/offer', { ...ofConfig, lookupBy: ['id', 'account_type'] }),
  ...pick(fields, 'allow_logins', 'valid_days'),
  realname: variant(fields.realname, {}),
  application_id: variant(fields.application_id, ofConfig),
  policy_id: variant(fields.policy_id, ofConfig),
  remark: fields.remark,
};
const access = ['user_account'] as const;
/** Opening an account also reads its configuration. */

export const openConfigCalls = calls('user', [...access, 'user_create'], {
  list: {
    kind: 'list',
    path: 'user/config',
    summary: ['查询开户配置', 'List the opening configurations by account type'],
    resource: openConfig,
  },
  option: {
    kind: 'option',
    path: 'user/config/option',
    access: 'session',
    summary: ['开户配置选项', 'Option list of opening configurations'],
    shape: shape<Record<string, string>>(),
  },
  read: {
    kind: 'detail',
    path: 'user/config/{id}',
    summary: ['查看开户配置', 'Read one opening configuration'],
    output: { ...input, id: idOutput.id, version: int(['版本', 'Version'], { required: true }) },
  },
  update: {
    kind: 'update',
    path: 'user/config/{id}',
    access,
    summary: ['修改开户配置', 'Change an opening configuration'],
    input,
    versioned: true,
  },
});

export const userAccount = page({
  ...headOf('userAccount'),
  resource: openConfig,
  list: openConfigCalls.list,
  forms: { edit: form(['修改开户配置', 'Edit opening configuration'], input) },
  actions: {
    create: { on: 'toolbar', label: ['单个开户', 'Single opening'], to: '/user/create' },
    batch: { on: 'toolbar', label: ['批量开户', 'Batch opening'], to: '/user/batch' },
    temp: { on: 'toolbar', label: ['临时卡开户', 'Temporary card'], to: '/user/temp' },
    demo: { on: 'toolbar', label: ['下载导入模板', 'Download template'], call: demoCall, download: true },
    detail: { on: 'row', label: ['详情', 'Details'], call: openConfigCalls.read },
    edit: { on: 'row', label: ['修改配置', 'Edit configuration'], call: openConfigCalls.update, form: 'edit' },
    open: { on: 'row', label: ['按此配置开户', 'Open with this configuration'], to: '/user/create?config_id=:id' },
  },
});
