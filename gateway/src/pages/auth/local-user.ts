import { accountTypes } from '../../choices.ts';
import { bool, choice, int, ipv4, mac, rate, secret, text, time } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { accountName, accountPassword, fullName, phone } from '../../kit/patterns.ts';

export const authLocalUser = list('auth_local_user', {
  title: ['本地账号', 'Local users'],
  summary: [
    '管理保存在网关上的上网账号；仅允许单个登录时才可绑定。',
    'Internet accounts kept on the gateway; binding is offered only when one login is allowed.',
  ],
  key: 'account',
  maxRows: 20_000,
  fields: {
    account: text(['上网账号', 'Account'], { required: true, max: 20, like: accountName }),
    password: secret(['密码', 'Password'], { required: true, max: 18, like: accountPassword }),
    full_name: text(['姓名', 'Full name'], { max: 20, like: fullName }),
    account_type: choice(['账号类型', 'Account type'], accountTypes, { required: true, default: 'personal' }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    allowed_logins: int(['允许同时登录数', 'Allowed logins'], { required: true, default: 1, min: 1, max: 255 }),
    bind_mac: mac(['绑定MAC', 'Bound MAC'], { when: ['allowed_logins', 1] }),
    bind_ip: ipv4(['绑定IP', 'Bound IP'], { when: ['allowed_logins', 1] }),
    bind_vlan: int(['绑定VLAN', 'Bound VLAN'], { min: 1, max: 4094, when: ['allowed_logins', 1] }),
    down: rate(['下行限速（0不限）', 'Download limit (0 = none)'], { default: 0 }),
    up: rate(['上行限速（0不限）', 'Upload limit (0 = none)'], { default: 0 }),
    quota_mb: int(['流量额度（0不限）', 'Data allowance (0 = none)'], { default: 0, min: 0, max: 10_000_000, unit: 'MB' }),
    expire_at: time(['到期时间', 'Expires at']),
    phone: text(['手机号', 'Phone'], { max: 32, like: phone }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
