import { passwordFits, passwordRefusal } from './kit/password-rule.ts';
import { across, lengthWithin, matches, numberWithin, type Rule, type UploadRule } from './kit/rule.ts';
import { fill, lengthOf, type Text } from './kit/text.ts';
import { limits } from './limits.ts';
import { isDocumentNumber, isIdCardNumber, isOtherDocument } from './user/id-document.ts';

/** The validators of the specification, by its names. Those that compare fields take the name of the other field. */

const lengthText: Text = ['长度为{0}-{1}个字符', 'Length {0}-{1} characters'];
const numberText: Text = ['数值范围为{0}-{1}', 'Between {0} and {1}'];
const phoneText: Text = ['仅限数字、加号、连字符，最多32位', 'Digits, plus and hyphen only, at most 32'];

/** Used by the form for its own values, and by the server for the other rules of the device. */
export const mailboxTexts = {
  same: ['通知邮箱已存在', 'Same notification mailbox exists'],
  most: fill(['每台设备最多{0}个通知邮箱', 'At most {0} notification mailboxes per device'], limits.mailboxesPerDevice),
} as const satisfies Record<string, Text>;

/** Adds calendar months, so that "3 months" is three calendar months. */
const addMonths = (epoch: number, months: number) => {
  const d = new Date(epoch * 1000);
  d.setUTCMonth(d.getUTCMonth() + months);
  return d.getTime() / 1000;
};
const isIpv4 = (s: string) => /^(\d{1,3}\.){3}\d{1,3}$/.test(s) && s.split('.').every((p) => Number(p) <= 255 && String(Number(p)) === p);
const isDomain = (s: string) =>
  s.length >= 3 &&
  s.length <= 255 &&
  /^(https?:\/\/)?([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(:\d{1,5})?(\/\S*)?$/.test(s);
const blank = (v: unknown) => v === undefined || v === null || v === '';

export const rules = {
  login_account: matches(
    'login_account',
    /^(?=.*[A-Za-z])[A-Za-z0-9_]{4,32}$/,
    ['4-32位，须含字母，仅限字母、数字、下划线', '4-32 characters, must contain a letter; letters, digits and underscore only'],
    { min: 4, max: limits.accountMax },
  ),
  login_password: { name: 'login_password', text: ['请输入密码', 'Password is required'], test: (v) => !blank(v) },
  captcha: matches('captcha', /^[A-Za-z0-9]{4}$/, ['4位字母或数字', 'Exactly 4 letters or digits'], { min: 4, max: limits.captchaLength }),
  phone_login: matches('phone_login', /^[0-9+-]{1,32}$/, phoneText, { min: 1, max: limits.phoneMax }),
  sms_code: matches('sms_code', /^[A-Za-z0-9]{6}$/, ['6位字母或数字', 'Exactly 6 letters or digits'], {
    min: 6,
    max: limits.smsCodeLength,
  }),
  password_rule: {
    name: 'password_rule',
    text: (env, value) => passwordRefusal(String(value ?? ''), env.passwordRule),
    test: (v, _, env) => passwordFits(String(v), env.passwordRule),
  },
  password_fixed: matches(
    'password_fixed',
    /^(?=.*[A-Za-z])(?=.*[0-9])[A-Za-z0-9]{6,18}$/,
    ['6-18位，须同时包含字母和数字', '6-18 letters and digits, both required'],
    { min: 6, max: 18 },
  ),
  alnum_128: matches('alnum_128', /^[A-Za-z0-9]{1,128}$/, ['1-128位字母或数字', '1-128 letters or digits'], { min: 1, max: 128 }),
  word_128: matches('word_128', /^[\w-]{1,128}$/, ['1-128位字母、数字、下划线、连字符', '1-128 letters, digits, underscores or hyphens'], {
    min: 1,
    max: 128,
  }),
  digits_128: matches('digits_128', /^[0-9]{1,128}$/, ['1-128位数字', '1-128 digits'], { min: 1, max: 128 }),
  text_cn_128: matches(
    'text_cn_128',
    /^\S(.{0,126}\S)?$/u,
    ['1-128个字符，可含中文，首尾不能有空格', '1-128 characters, Chinese allowed, no leading or trailing space'],
    { min: 1, max: 128 },
  ),
  text_cn_15: lengthWithin('text_cn_15', 1, 15, ['1-15个字符，可含中文', '1-15 characters, Chinese allowed']),
  free_512: lengthWithin('free_512', 0, 512, ['最多512个字符', 'At most 512 characters']),
  no_quotes: matches('no_quotes', /^[^'"\\]*$/, ['不能包含引号和反斜杠', 'No quotes or backslashes']),
  no_cn_space: matches('no_cn_space', /^[^\u4e00-\u9fa5\s]*$/, ['不能包含中文和空格', 'No Chinese characters or spaces']),
  no_edge_space: matches('no_edge_space', /^\S(.*\S)?$/, ['首尾不能有空格', 'No leading or trailing space']),
  phone: matches('phone', /^[0-9+-]{1,32}$/, phoneText, { max: 32 }),
  email: matches('email', /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, ['邮箱格式不正确', 'Not a valid email address'], { max: 128 }),
  id_card: {
    name: 'id_card',
    text: ['身份证号码格式不正确', 'Not a valid ID card number'],
    test: (v, all, env) => isOtherDocument(all.id_type) || isIdCardNumber(String(v), env.now),
  },
  id_document: {
    name: 'id_card',
    text: ['证件号码为5-20位字母或数字', 'Document numbers are 5-20 letters or digits'],
    test: (v, all) => !isOtherDocument(all.id_type) || isDocumentNumber(String(v)),
  },
  sn: matches(
    'sn',
    /^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?$/,
    ['以字母或数字开头和结尾，中间可含连字符、下划线', 'Starts and ends with a letter or digit; hyphen or underscore inside'],
    { max: 64 },
  ),
  ipv4: { name: 'ipv4', text: ['IPv4地址格式不正确', 'Not a valid IPv4 address'], max: 15, test: (v) => isIpv4(String(v)) },
  mac: matches('mac', /^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/, ['MAC地址格式应为 xx:xx:xx:xx:xx:xx', 'MAC address as xx:xx:xx:xx:xx:xx'], {
    max: 17,
  }),
  domain: {
    name: 'domain',
    text: ['域名可带http(s)://或不带，3-255个字符', 'Domain, with http(s):// or bare, 3-255 characters'],
    min: 3,
    max: 255,
    test: (v) => isDomain(String(v)),
  },
  price: matches('price', /^(?!0+(\.0{1,2})?$)\d{1,12}(\.\d{1,2})?$/, ['大于0，最多两位小数', 'Positive, up to 2 decimals']),
  price_or_zero: matches('price', /^\d{1,12}(\.\d{1,2})?$/, ['不小于0，最多两位小数', '0 or more, up to 2 decimals']),
  directory: matches('directory', /^[A-Za-z0-9_/]+$/, ['仅限字母、数字、下划线、斜杠', 'Letters, digits, underscore and slash only']),
  vno_username: matches('vno_username', /^[A-Za-z0-9_]+$/, ['仅限字母、数字、下划线', 'Letters, digits and underscore only']),
  /** What is typed of an account. The account with its prefix has the length of `internet_account`. */
  account_part: matches(
    'account_part',
    /^[A-Za-z0-9_]{1,20}$/,
    ['连同前缀4-20位，不能包含特殊字符', '4-20 characters with the prefix, no special characters'],
    {
      min: 1,
      max: 20,
    },
  ),
  internet_account: matches(
    'internet_account',
    /^[A-Za-z0-9_]{4,20}$/,
    ['4-20位，不能包含特殊字符', '4-20 characters, no special characters'],
    { min: 4, max: 20 },
  ),
  internet_password: {
    name: 'internet_password',
    text: (_, value) => (String(value ?? '').trim() === '' ? ['不能全为空格', 'Not only spaces'] : ['6-18位', '6-18 characters']),
    min: 6,
    max: 18,
    test: (v) => String(v).trim() !== '' && lengthOf(String(v)) >= 6 && lengthOf(String(v)) <= 18,
  },
  person_name: lengthWithin('person_name', 2, 20, ['2-20个字符', '2-20 characters']),
  allow_logins: numberWithin('allow_logins', 1, 255, fill(numberText, 1, 255)),
  portal_name: lengthWithin('portal_name', 1, 15, ['1-15个字符', '1-15 characters']),
  version: matches('version', /^\d{1,2}\.\d{1,2}\.\d{1,2}$/, [
    '版本号为三段两位数字，如 01.02.03',
    'Three two-digit parts, such as 01.02.03',
  ]),
  port: numberWithin('port', 1, 65_535, fill(numberText, 1, 65_535)),
  vlan: numberWithin('vlan', 1, 4094, fill(numberText, 1, 4094)),
  percent: numberWithin('percent', 1, 100, fill(numberText, 1, 100)),
  zero_unlimited: numberWithin('zero_unlimited', 0, Number.MAX_SAFE_INTEGER, ['不能小于0，0表示不限制', 'At least 0; 0 means unlimited']),

  length: (min: number, max: number) => lengthWithin('length', min, max, fill(lengthText, min, max)),
  number_range: (min: number, max: number) => numberWithin('number_range', min, max, fill(numberText, min, max)),

  confirm_equal: (other: string) =>
    across('confirm_equal', ['两次输入的密码不一致', 'The two passwords are different'], (v, all) => v === all[other], other),
  new_differs: (other: string) =>
    across('new_differs', ['新密码不能与原密码相同', 'The new password must differ from the old one'], (v, all) => v !== all[other]),
  phone_changed: (other: string) =>
    across('phone_changed', ['新手机号不能与原手机号相同', 'The new phone must differ from the old one'], (v, all) => v !== all[other]),
  name_changed: (other: string) =>
    across('name_changed', ['角色名称未修改', 'The new role name must differ from the old one'], (v, all) => v !== all[other]),
  start_before_end: (start: string) =>
    across(
      'start_before_end',
      ['开始时间必须早于结束时间', 'Start time must be before end time'],
      (v, all) => blank(v) || blank(all[start]) || Number(all[start]) < Number(v),
    ),
  query_range: (start: string, months: number) =>
    across(
      'query_range',
      fill(['查询时间跨度不能超过{0}个月', 'The query range may not exceed {0} months'], months),
      (v, all) => blank(v) || blank(all[start]) || Number(v) <= addMonths(Number(all[start]), months),
    ),
  bind_single: (logins: string) =>
    across(
      'bind_single',
      ['允许登录数大于1时不能绑定IP/MAC/VLAN', 'Binding is not allowed when allowed logins is above 1'],
      (v, all) => blank(v) || Number(all[logins]) <= 1,
    ),
  no_periodic: (cycle: string) =>
    across('no_periodic', ['临时卡账号不支持周期套餐', 'Temporary card accounts do not support periodic packages'], (_, all) =>
      blank(all[cycle]),
    ),
  vno_name_match: (name: string) => across('vno_name_match', ['VNO名称不一致', 'Inconsistent VNO names'], (v, all) => v === all[name]),
  cycle_both: (other: string) =>
    across('cycle_both', ['周期时长与单位须同时填写', 'A cycle requires both length and unit'], (v, all) => blank(v) === blank(all[other])),
  capacity_unit: (other: string) =>
    across(
      'capacity_unit',
      ['流量/时长容量与单位须同时填写', 'Flow or time requires capacity and unit'],
      (v, all) => blank(v) === blank(all[other]),
    ),
  device_or_group: (other: string) =>
    across('device_or_group', ['请选择设备或设备组', 'A device or group must be chosen'], (v, all) => blank(v) !== blank(all[other])),
  cycle_quota: (total: string) =>
    across(
      'cycle_quota',
      ['周期配额不能超过周期重置总量', 'The cycle quota may not exceed the cycle-reset total'],
      (v, all) => blank(v) || blank(all[total]) || Number(v) <= Number(all[total]),
    ),
  reset_before_expiry: (expiry: string) =>
    across(
      'reset_before_expiry',
      ['重置时间不能超过套餐有效期', 'The reset time may not exceed the package expiry'],
      (v, all) => blank(v) || blank(all[expiry]) || Number(v) <= Number(all[expiry]),
    ),
  duration_before_expiry: (expiry: string) =>
    across(
      'duration_before_expiry',
      ['套餐时长不能超过有效期', 'The duration may not exceed the expiry'],
      (v, all) => blank(v) || blank(all[expiry]) || Number(v) <= Number(all[expiry]),
    ),
  protocol_min1: across('protocol_min1', ['至少选择一个应用协议', 'At least one protocol'], (v) => Array.isArray(v) && v.length > 0),
  policy_content: (action: string) =>
    across(
      'policy_content',
      ['限额后动作为不处理或限速时，提醒内容不能为空', 'The reminder message may not be empty when the action is none or slow down'],
      (v, all) => Number(all[action]) === 2 || !blank(v),
    ),
  card_types_max: across(
    'card_types_max',
    fill(['最多{0}种卡类型，且每项均须填写完整', 'At most {0} card types, and all must be filled'], limits.cardTypes),
    (v) => Array.isArray(v) && v.length > 0 && v.length <= limits.cardTypes,
  ),
  notify_mailbox: across(
    'notify_mailbox',
    mailboxTexts.same,
    (v) => Array.isArray(v) && new Set(v.map((mailbox) => String(mailbox).toLowerCase())).size === v.length,
  ),
  notify_mailboxes: across('notify_mailbox', mailboxTexts.most, (v) => Array.isArray(v) && v.length <= limits.mailboxesPerDevice),
  device_capacity: (used: string) =>
    across(
      'device_capacity',
      ['单台设备最多支持20000个上网账号', 'A single device supports at most 20000 internet accounts'],
      (v, all) => Number(all[used] ?? 0) + Number(v) <= limits.accountsPerDevice,
    ),
} as const satisfies Record<string, Rule | ((...args: never[]) => Rule)>;

/** Errors that only the server can detect, returned at the field. */
export const serverRules = {
  old_password: ['原密码错误', 'The old password is wrong'],
} as const satisfies Record<string, Text>;

export const uploads = {
  image_2mb: {
    name: 'image_2mb',
    text: ['仅支持JPG、PNG格式，小于2MB', 'JPG or PNG, under 2 MB'],
    accept: ['jpg', 'jpeg', 'png'],
    maxBytes: limits.imageBytes,
  },
  logo: {
    name: 'logo',
    text: ['仅支持JPG、PNG格式，建议尺寸190x60', 'JPG or PNG, recommended 190x60'],
    accept: ['jpg', 'jpeg', 'png'],
    maxBytes: limits.imageBytes,
  },
  zip_1mb: { name: 'zip_1mb', text: ['仅支持ZIP格式，小于1MB', 'ZIP only, under 1 MB'], accept: ['zip'], maxBytes: limits.zipBytes },
  portal_zip: {
    name: 'portal_zip',
    text: ['门户模板仅支持ZIP压缩包', 'Portal template: ZIP only'],
    accept: ['zip'],
    maxBytes: limits.zipBytes,
  },
  key_file: {
    name: 'key_file',
    text: ['无后缀或.key格式，最大1MB', 'No suffix or .key, at most 1 MB'],
    accept: ['', 'key'],
    maxBytes: limits.certBytes,
  },
  crt_file: { name: 'crt_file', text: ['CRT格式，最大1MB', 'CRT, at most 1 MB'], accept: ['crt'], maxBytes: limits.certBytes },
  photo: {
    name: 'photo',
    text: ['仅限一张，文件名不超过24个字符，校验图片格式', 'One photo only, file name at most 24 characters, JPG or PNG'],
    accept: ['jpg', 'jpeg', 'png'],
    maxBytes: limits.imageBytes,
    maxName: limits.photoNameMax,
  },
  firmware: {
    name: 'single_import',
    text: ['支持.bin、.img、.tar.gz、.zip，最大256MB，每次一个文件', '.bin, .img, .tar.gz or .zip, at most 256 MB, one file at a time'],
    accept: ['bin', 'img', 'gz', 'tgz', 'zip'],
    maxBytes: limits.firmwareBytes,
  },
  single_import: {
    name: 'single_import',
    text: ['每次只能导入一个文件', 'Only one file can be imported at a time'],
    accept: ['csv', 'xlsx'],
    maxBytes: 20 * 1024 * 1024,
  },
} as const satisfies Record<string, UploadRule>;
