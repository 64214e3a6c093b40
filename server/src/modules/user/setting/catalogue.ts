import type { Text } from '@farlink/contract/kit/text.ts';
import type { SettingKey, settingGroup } from '@farlink/contract/user/setting-fields.ts';

interface Entry {
  readonly key: SettingKey;
  readonly group: (typeof settingGroup)[number]['id'];
  readonly about: Text;
}

/** Settings in numbering order. The position is part of the id, so it must not change. */
export const catalogue: readonly Entry[] = [
  {
    key: 'self_register',
    group: 'register',
    about: ['用户可在门户页面自助注册上网账号', 'Subscribers may register an account at the portal'],
  },
  { key: 'sms_verify', group: 'register', about: ['自助注册时须填写短信验证码', 'Registration asks for a code sent by SMS'] },
  {
    key: 'default_config_id',
    group: 'register',
    about: [
      '自助注册的账号按此配置开户，未设置时按个人账号开户',
      'Accounts are registered by this configuration; without one, as personal accounts',
    ],
  },
  { key: 'realname', group: 'realname', about: ['自助注册时须填写证件号码', 'Registration asks for the ID number'] },
  { key: 'upload_photo', group: 'realname', about: ['自助注册时须上传证件照片', 'Registration asks for a photo of the ID'] },
  {
    key: 'password_rule_range',
    group: 'password',
    about: ['登录密码的长度范围，如 6-18', 'How long a login password may be, such as 6-18'],
  },
  {
    key: 'password_rule_special',
    group: 'password',
    about: ['登录密码中可以使用的特殊字符', 'Special characters that a login password may have'],
  },
  {
    key: 'password_rule_complex',
    group: 'password',
    about: ['登录密码须包含哪几类字符', 'Which kinds of characters a login password must contain'],
  },
  { key: 'lock_count', group: 'login', about: ['连续输错密码达到此次数后锁定登录', 'So many wrong passwords in a row lock the login'] },
  { key: 'lock_time', group: 'login', about: ['登录锁定持续的分钟数', 'Minutes for which the login stays locked'] },
  {
    key: 'idle_timeout',
    group: 'login',
    about: [
      '上网用户无流量达到此分钟数后下线，0表示不限制',
      'Minutes without traffic after which a subscriber goes offline; 0 is unlimited',
    ],
  },
  {
    key: 'allow_logins',
    group: 'login',
    about: ['自助注册和导入未指定时，账号允许同时登录的数量', 'Logins at once of accounts that are registered or imported without saying'],
  },
  {
    key: 'remind_days',
    group: 'remind',
    about: ['账号到期前多少天提醒用户，0表示不提醒', 'Days before expiry that a subscriber is reminded; 0 is never'],
  },
];
