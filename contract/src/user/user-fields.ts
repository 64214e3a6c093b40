import { bool, choice, date, file, int, longText, option, password, text, variant } from '../kit/field.ts';
import { bySubject } from '../kit/lookup.ts';
import type { Values } from '../kit/values.ts';
import { phoneInput } from '../phone.ts';
import { rules, uploads } from '../rules.ts';
import { accountPlace, accountType, customPolicy } from './choices.ts';
import { idType } from './id-document.ts';
import { orMasked } from './mask.ts';

/** spec §5: an account with several simultaneous logins cannot be bound to an address. */
const isSingle = (v: Values) => Number(v.allow_logins) === 1;
const isCustom = (v: Values) => v.custom_policy === true || v.custom_policy === 1;

/** Account types without an ID number, regardless of the opening configuration. */
export const isAnonymous = (accountTypeId: unknown) => accountTypeId === 'job' || accountTypeId === 'temp_card';
/** `realname` comes from the opening configuration of the type, if the page has it. */
const needsIdNumber = (v: Values) => !isAnonymous(v.account_type) && v.realname !== false;

export const accountFields = {
  account_type: choice(['账号类型', 'Account type'], accountType, { required: true, default: 'personal' }),
  account: text(['上网账号', 'Online account'], { required: true, rules: [rules.account_part], max: 20, mono: true }),
  password: password(['上网密码', 'Internet password'], { required: true, rules: [rules.internet_password], max: 18 }),
  repassword: password(['确认密码', 'Confirm password'], { required: true, rules: [rules.confirm_equal('password')], max: 18 }),
};

export const identityFields = {
  name: text(['姓名', 'Full name'], { required: true, rules: [rules.person_name], max: 20 }),
  phone: text(['手机号', 'Phone'], { required: true, rules: [rules.phone], ...phoneInput }),
  id_type: choice(['证件类型', 'ID type'], idType, { default: 'id_card' }),
  id_number: text(['证件号码', 'ID number'], {
    rules: [rules.id_card, rules.id_document],
    max: 20,
    mono: true,
    requiredWhen: needsIdNumber,
  }),
  cert_start_at: date(['证件有效期起', 'Certificate valid from']),
  cert_end_at: date(['证件有效期止', 'Certificate valid until'], { rules: [rules.start_before_end('cert_start_at')] }),
  issuing_authority: text(['发证机关', 'Issuing authority'], { rules: [rules.text_cn_128], max: 128 }),
  email: text(['邮箱', 'Email'], { rules: [rules.email], max: 128 }),
  photo: file(['照片', 'Photo'], { upload: uploads.photo }),
};

/** The same fields for a form with masked initial values. */
export const knownIdentityFields = {
  ...identityFields,
  phone: text(identityFields.phone.label, { required: true, rules: [orMasked(rules.phone)], ...phoneInput }),
  id_number: text(identityFields.id_number.label, {
    rules: [orMasked(rules.id_card), orMasked(rules.id_document)],
    max: 20,
    mono: true,
    requiredWhen: needsIdNumber,
  }),
};

const devicesOnly = ['管理范围限于设备时，请绑定设备', 'If your scope is limited to devices, bind a device'] as const;

/** An account stays in its VNO, so only devices and groups of that VNO are offered. */
const ofAccount = { lookupBy: bySubject, lookupParams: { subject: 'account' } } as const;
/** Templates and prefixes belong to the account's VNO or to one above it. The VNO comes from the account or from its future binding. */
export const byAccount = {
  lookupBy: [...bySubject, 'bind_type', 'device_id', 'device_group_id'],
  lookupParams: { subject: 'account' },
} as const;

export const bindingFields = {
  bind_type: choice(['归属方式', 'Bound to'], accountPlace, {
    required: true,
    default: 'device',
    tips: ['整个VNO的账号可在该VNO的所有设备上网', 'An account of the whole VNO can go online at all devices of that VNO'],
  }),
  device_id: option(['绑定设备', 'Device'], 'device/option', {
    required: true,
    when: (v) => v.bind_type === 'device',
    ...ofAccount,
  }),
  device_group_id: option(['绑定设备组', 'Device group'], 'device/group/option', {
    required: true,
    when: (v) => v.bind_type === 'group',
    ...ofAccount,
    empty: devicesOnly,
  }),
};

export const loginFields = {
  allow_logins: int(['允许登录数', 'Allowed logins'], {
    required: true,
    rules: [rules.allow_logins],
    default: 1,
    tips: ['大于1时不能绑定IP、MAC和VLAN', 'Above 1, IP, MAC and VLAN cannot be bound'],
  }),
  ...bindingFields,
  bind_ip: text(['绑定IP', 'Bound IP'], { rules: [rules.ipv4, rules.bind_single('allow_logins')], max: 15, when: isSingle, mono: true }),
  bind_mac: text(['绑定MAC', 'Bound MAC'], { rules: [rules.mac, rules.bind_single('allow_logins')], max: 17, when: isSingle, mono: true }),
  vlan_id: int(['VLAN ID', 'VLAN ID'], { rules: [rules.vlan, rules.bind_single('allow_logins')], when: isSingle }),
  expire_at: date(['账号到期时间', 'Expiry date'], {
    required: true,
    quickYears: true,
    tips: ['快捷选项：N年后减一天', 'Quick choice: now plus N years minus one day'],
  }),
};

/** The API refuses a binding with several logins instead of ignoring it. */
export const loginInput = {
  ...loginFields,
  bind_ip: variant(loginFields.bind_ip, { when: undefined }),
  bind_mac: variant(loginFields.bind_mac, { when: undefined }),
  vlan_id: variant(loginFields.vlan_id, { when: undefined }),
};

export const templateFields = {
  application_id: option(['应用模板', 'Application template'], 'application/option', { when: isCustom, ...byAccount }),
  policy_id: option(['信控模板', 'Credit control template'], 'policy/option', { when: isCustom, ...byAccount }),
};

const policyTips = [
  '优先级从高到低：账号默认策略、用户自定义策略、套餐绑定策略、设备本地策略',
  'Priority from high to low: account default, user-defined, package-bound, device local',
] as const;

/** Used in the form of one account, and as an action on several accounts. */
export const policySwitch = {
  custom_policy: bool(['自定义策略', 'Custom policy'], { default: false, tips: policyTips }),
  ...templateFields,
};
export const policyAction = {
  custom_policy: choice(['自定义策略', 'Custom policy'], customPolicy, { required: true, default: 1, tips: policyTips }),
  ...templateFields,
};

export const remarkField = { remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes], max: 512 }) };
