import { bool, choice, int, ipv4, secret, text, time } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { adminName, strongPassword } from '../../kit/patterns.ts';

export const vpnUser = list('vpn_user', {
  title: ['VPN账号', 'VPN users'],
  summary: ['管理L2TP和OpenVPN服务器的拨入账号。', 'Dial-in accounts for the L2TP and OpenVPN servers.'],
  key: 'username',
  maxRows: 500,
  fields: {
    username: text(['账号', 'Username'], { required: true, max: 32, like: adminName }),
    password: secret(['密码', 'Password'], { required: true, max: 32, like: strongPassword }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    service: choice(
      ['允许服务', 'Service'],
      { any: ['全部', 'Any'], l2tp: ['L2TP', 'L2TP'], openvpn: ['OpenVPN', 'OpenVPN'] },
      { required: true, default: 'any' },
    ),
    fixed_ip: ipv4(['固定地址', 'Fixed address']),
    allowed_logins: int(['允许同时登录数', 'Allowed logins'], { default: 1, min: 1, max: 255 }),
    expire_at: time(['到期时间', 'Expires at']),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
