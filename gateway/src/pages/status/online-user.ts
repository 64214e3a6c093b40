import { accountTypes } from '../../choices.ts';
import { choice, int, ipv4, mac, ref, span, text, time } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const statusOnlineUser = status('status_online_user', {
  title: ['在线用户', 'Online users'],
  summary: [
    '查看已认证用户的认证方式、套餐、用量及承载链路。',
    'Authenticated users with login method, package, consumption and the link that carries them.',
  ],
  fields: {
    account: text(['上网账号', 'Account']),
    full_name: text(['姓名', 'Full name']),
    account_type: choice(['账号类型', 'Account type'], accountTypes),
    ip: ipv4(['IP地址', 'IP address']),
    mac: mac(['MAC地址', 'MAC address']),
    method: choice(['认证方式', 'Login method'], {
      portal: ['Portal', 'Portal'],
      mac: ['MAC认证', 'MAC'],
      dot1x: ['802.1X', '802.1X'],
      temp: ['临时放行', 'Temporary release'],
      free: ['免认证', 'Exempt'],
    }),
    package: text(['套餐', 'Package']),
    policy_source: choice(['策略来源', 'Policy source'], {
      account: ['账号默认', 'Account default'],
      custom: ['用户自定义', 'User-defined'],
      package: ['套餐绑定', 'Package-bound'],
      local: ['设备本地', 'Device local'],
    }),
    login_at: time(['上线时间', 'Login time']),
    online_time: span(['在线时长', 'Time online']),
    up_bytes: int(['上行流量（B）', 'Uploaded (B)']),
    down_bytes: int(['下行流量（B）', 'Downloaded (B)']),
    link: ref(['当前链路', 'Current link'], 'network_wan'),
  },
});
