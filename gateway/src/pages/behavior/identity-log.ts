import { choice, ipv4, mac, port, text, time } from '../../kit/field.ts';
import { log } from '../../kit/page.ts';

export const behaviorIdentityLog = log('behavior_identity_log', {
  title: ['虚拟身份记录', 'Virtual identities'],
  summary: [
    '记录网络中IM、社交、邮箱和游戏账号的登录与退出。',
    'Logins and logouts of messaging, social, mail and game accounts seen on the network.',
  ],
  fields: {
    time: time(['时间', 'Time']),
    account: text(['上网账号', 'Account']),
    ip: ipv4(['IP地址', 'IP address']),
    mac: mac(['MAC地址', 'MAC address']),
    identity_type: choice(['身份类型', 'Identity type'], {
      im: ['即时通讯', 'Messaging'],
      social: ['社交', 'Social'],
      mail: ['邮箱', 'Email'],
      forum: ['论坛', 'Forum'],
      game: ['游戏', 'Game'],
      shopping: ['购物', 'Shopping'],
    }),
    app: text(['应用', 'Application']),
    identity: text(['虚拟身份', 'Identity']),
    event: choice(['事件', 'Event'], { login: ['上线', 'Login'], logout: ['下线', 'Logout'] }),
    src_port: port(['源端口', 'Source port']),
    dst_ip: ipv4(['目的地址', 'Destination']),
  },
});
