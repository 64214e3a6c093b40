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
    about: ['用户可在门户页面自助注册上网账号', 'Subscribers can register an internet account on the portal'],
  },
  { key: 'sms_verify', group: 'register', about: ['自助注册时须填写短信验证码', 'Self-registration requires an SMS code'] },
  {
    key: 'default_config_id',
    group: 'register',
    about: [
      '自助注册的账号按此配置开户，未设置时按个人账号开户',
      'Self-registered accounts use this configuration; if not set, they are personal accounts',
    ],
  },
  { key: 'realname', group: 'realname', about: ['自助注册时须填写证件号码', 'Self-registration requires the ID number'] },
  { key: 'upload_photo', group: 'realname', about: ['自助注册时须上传证件照片', 'Self-registration requires a photo of the ID'] },
  {
    key: 'password_rule_range',
    group: 'password',
    about: ['登录密码的长度范围，如 6-18', 'Length of login passwords, such as 6-18'],
  },
  {
    key: 'password_rule_special',
    group: 'password',
    about: ['登录密码中可以使用的特殊字符', 'Special characters allowed in login passwords'],
  },
  {
    key: 'password_rule_complex',
    group: 'password',
    about: ['登录密码须包含哪几类字符', 'Kinds of characters required in login passwords'],
  },
  {
    key: 'lock_count',
    group: 'login',
    about: ['连续输错密码达到此次数后锁定登录', 'Number of wrong passwords in a row that locks the login'],
  },
  { key: 'lock_time', group: 'login', about: ['登录锁定持续的分钟数', 'Minutes that the login stays locked'] },
  {
    key: 'idle_timeout',
    group: 'login',
    about: ['上网用户无流量达到此分钟数后下线，0表示不限制', 'Minutes without traffic before a subscriber goes offline; 0 means unlimited'],
  },
  {
    key: 'allow_logins',
    group: 'login',
    about: [
      '自助注册和导入未指定时，账号允许同时登录的数量',
      'Simultaneous logins of an account if not specified at self-registration or import',
    ],
  },
  {
    key: 'remind_days',
    group: 'remind',
    about: ['账号到期前多少天提醒用户，0表示不提醒', 'Days before expiry to remind the subscriber; 0 means never'],
  },
  {
    key: 'register_place',
    group: 'register',
    about: [
      '自助注册的账号可在哪些设备上网；不经过网关的门户地址仅在选择整个VNO时可注册',
      'Where self-registered accounts can go online. Without a gateway, a portal registers people only for the whole VNO',
    ],
  },
];
