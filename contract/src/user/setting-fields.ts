import { bool, choice, int, option, text } from '../kit/field.ts';
import { rangeOf } from '../kit/password-rule.ts';
import { across, matches } from '../kit/rule.ts';
import type { Text } from '../kit/text.ts';
import { limits } from '../limits.ts';
import { rules } from '../rules.ts';

export const settingGroup = [
  { id: 'register', label: ['注册设置', 'Registration'] },
  { id: 'realname', label: ['实名设置', 'Real-name'] },
  { id: 'password', label: ['密码规则', 'Password rule'] },
  { id: 'login', label: ['登录设置', 'Login'] },
  { id: 'remind', label: ['到期提醒', 'Expiry reminder'] },
] as const;

export const passwordComplex = [
  { id: '110', label: ['字母+数字', 'Letters and digits: at least two of upper case, lower case and digits'] },
  { id: '112', label: ['字母+数字，特殊字符可选', 'Letters and digits, special characters optional'] },
  { id: '101', label: ['字母或数字+特殊字符', 'Letters or digits mixed with special characters'] },
  { id: '011', label: ['字母+特殊字符', 'Letters with special characters'] },
  { id: '111', label: ['大写、小写、数字、特殊字符混合', 'A mix across all classes'] },
] as const;

const rangeText: Text = [
  '格式如 6-18，下限须小于上限，上限不超过{0}',
  'Such as 6-18; the lower bound must be less than the upper, the upper at most {0}',
];
const longest = limits.accountMax;
const rangeRule = across(
  'length_range',
  [rangeText[0].replace('{0}', String(longest)), rangeText[1].replace('{0}', String(longest))],
  (v) => {
    if (!/^\d{1,2}-\d{1,2}$/.test(String(v))) return false;
    const [min, max] = rangeOf({ password_rule_range: String(v), password_rule_special: '', password_rule_complex: '110' });
    return min >= 1 && min < max && max <= longest;
  },
);

/** Whether this complexity needs special characters; then some must be allowed. */
export const needsSpecials = (complex: unknown) => complex === '101' || complex === '011' || complex === '111';

/** Where a subscriber who registers in a portal may go online. */
export const registerPlace = [
  { id: 'device', label: ['注册时所在的设备', 'The gateway of the registration'] },
  { id: 'group', label: ['注册时所在设备的设备组', 'The group of that gateway'] },
  { id: 'vno', label: ['整个VNO', 'The whole VNO'] },
] as const;

export const settingFields = {
  register: {
    self_register: bool(['允许自助注册', 'Self registration'], { default: true }),
    register_place: choice(['注册账号可用范围', 'Registered accounts are valid at'], registerPlace, {
      required: true,
      default: 'device',
      when: (v) => v.self_register !== false,
      tips: [
        '只有“整个VNO”允许在不经过网关的门户地址注册',
        'Only with “The whole VNO” can people register at a portal address that is not behind a gateway',
      ],
    }),
    sms_verify: bool(['短信验证', 'SMS verification'], { default: true }),
    realname: bool(['须实名认证', 'Real-name verification'], { default: true }),
    upload_photo: bool(['须上传证件照', 'Photo required'], { default: false }),
    default_config_id: option(['注册默认配置', 'Default opening configuration'], 'user/config/option', {
      when: (v) => v.self_register !== false,
    }),
    remind_days: int(['到期前提醒（天）', 'Remind before expiry (days)'], { rules: [rules.number_range(0, 90)], default: 7 }),
  },
  passwordRule: {
    password_rule_range: text(['密码长度范围', 'Length range'], { required: true, rules: [rangeRule], default: '6-18', max: 5 }),
    password_rule_special: text(['允许的特殊字符', 'Allowed special characters'], {
      rules: [rules.no_cn_space, matches('only_specials', /^[^A-Za-z0-9]*$/, ['不能包含字母和数字', 'No letters or digits'])],
      requiredWhen: (v) => needsSpecials(v.password_rule_complex),
      default: '!@#$%^&*_-',
      max: 32,
    }),
    password_rule_complex: choice(['复杂度', 'Complexity'], passwordComplex, { required: true, default: '110' }),
  },
  login: {
    lock_count: int(['密码错误锁定次数', 'Failures before lock'], { required: true, rules: [rules.number_range(1, 20)], default: 5 }),
    lock_time: int(['锁定时长（分钟）', 'Lock time (minutes)'], { required: true, rules: [rules.number_range(1, 1440)], default: 10 }),
    idle_timeout: int(['空闲下线（分钟）', 'Idle timeout (minutes)'], {
      rules: [rules.zero_unlimited, rules.number_range(0, 10_080)],
      default: 0,
      tips: ['0表示不限制', '0 means unlimited'],
    }),
    allow_logins: int(['默认允许登录数', 'Default allowed logins'], { required: true, rules: [rules.allow_logins], default: 1 }),
  },
};

/** Global settings, because the VNO is unknown before login. A VNO can see them but not change them. */
export const platformSettings = [
  'password_rule_range',
  'password_rule_special',
  'password_rule_complex',
  'lock_count',
  'lock_time',
] as const;

export const isPlatformSetting = (key: unknown): boolean => platformSettings.some((name) => name === key);

export interface SettingValues {
  readonly self_register: boolean;
  readonly register_place: (typeof registerPlace)[number]['id'];
  readonly sms_verify: boolean;
  readonly realname: boolean;
  readonly upload_photo: boolean;
  readonly default_config_id: number | null;
  readonly remind_days: number;
  readonly password_rule_range: string;
  readonly password_rule_special: string;
  readonly password_rule_complex: (typeof passwordComplex)[number]['id'];
  readonly lock_count: number;
  readonly lock_time: number;
  readonly idle_timeout: number;
  readonly allow_logins: number;
}
export type SettingKey = keyof SettingValues;
