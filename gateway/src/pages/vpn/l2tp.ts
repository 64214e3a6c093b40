import { pppMethods, vpnRoles } from '../../choices.ts';
import { bool, choice, duration, int, ipv4, ref, secret, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { ordered } from '../../kit/page-rules.ts';
import { hostName, preSharedKey } from '../../kit/patterns.ts';

export const vpnL2tp = list('vpn_l2tp', {
  title: ['L2TP', 'L2TP'],
  summary: [
    '配置L2TP客户端线路和拨入服务器，可选IPsec保护。',
    'L2TP client lines and the dial-in server, optionally protected with IPsec.',
  ],
  key: 'name',
  maxRows: 16,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    role: choice(['角色', 'Role'], vpnRoles, { required: true, default: 'client' }),
    link: ref(['绑定链路（空为自动）', 'Bound link (empty = automatic)'], 'network_wan'),
    server: text(['服务器', 'Server'], { required: true, max: 255, like: hostName, when: ['role', 'client'] }),
    username: text(['账号', 'Username'], { required: true, max: 64, when: ['role', 'client'] }),
    password: secret(['密码', 'Password'], { required: true, max: 64, when: ['role', 'client'] }),
    default_route: bool(['设为默认路由', 'Use as default route'], { default: false, when: ['role', 'client'] }),
    local_ip: ipv4(['服务端地址', 'Server address'], { required: true, when: ['role', 'server'] }),
    pool_start: ipv4(['地址池起始', 'Pool start'], { required: true, when: ['role', 'server'] }),
    pool_end: ipv4(['地址池结束', 'Pool end'], { required: true, when: ['role', 'server'] }),
    ppp_auth: choice(['PPP认证', 'PPP authentication'], pppMethods, { default: 'mschapv2' }),
    ipsec: bool(['IPsec保护', 'Protect with IPsec'], { default: true }),
    psk: secret(['IPsec预共享密钥', 'IPsec pre-shared key'], { required: true, max: 64, like: preSharedKey, when: ['ipsec', true] }),
    mtu: int(['MTU', 'MTU'], { default: 1400, min: 576, max: 1460, unit: 'B' }),
    echo_interval: duration(['LCP保活间隔', 'LCP echo interval'], { default: 30, min: 5, max: 300, unit: 's' }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [ordered('pool_start', 'pool_end')],
});
