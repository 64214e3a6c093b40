import { choice, int, ipv4, ref, text, time } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const vpnStatus = status('vpn_status', {
  title: ['VPN状态', 'VPN status'],
  summary: [
    '查看全部隧道和拨入用户的对端、链路、流量和最近错误。',
    'All tunnels and dial-in users with peer, link, traffic and last error.',
  ],
  fields: {
    name: text(['名称', 'Name']),
    type: choice(['类型', 'Type'], {
      ipsec: ['IPsec', 'IPsec'],
      l2tp: ['L2TP', 'L2TP'],
      openvpn: ['OpenVPN', 'OpenVPN'],
      wireguard: ['WireGuard', 'WireGuard'],
      gre: ['GRE', 'GRE'],
    }),
    state: choice(['状态', 'State'], {
      up: ['已连接', 'Up'],
      connecting: ['连接中', 'Connecting'],
      down: ['未连接', 'Down'],
      error: ['错误', 'Error'],
    }),
    remote: text(['对端', 'Remote']),
    virtual_ip: ipv4(['隧道地址', 'Tunnel address']),
    username: text(['账号', 'User']),
    link: ref(['承载链路', 'Link'], 'network_wan'),
    up_since: time(['建立时间', 'Up since']),
    rx_bytes: int(['接收（B）', 'Received (B)']),
    tx_bytes: int(['发送（B）', 'Sent (B)']),
    last_error: text(['最近错误', 'Last error']),
  },
});
