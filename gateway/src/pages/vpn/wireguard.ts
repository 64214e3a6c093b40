import { bool, cidr, duration, int, port, ref, rows, secret, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { hostName, interfaceName, wireguardKey } from '../../kit/patterns.ts';
import { portsFree } from '../../kit/port-rules.ts';
import { interfaceNamedOnce } from '../../kit/subnet-rules.ts';

export const vpnWireguard = list('vpn_wireguard', {
  title: ['WireGuard', 'WireGuard'],
  summary: [
    '配置WireGuard接口及对端；端点可漫游，能适应链路切换。',
    'WireGuard interfaces and their peers; roaming endpoints make it tolerant of link changes.',
  ],
  key: 'name',
  maxRows: 8,
  fields: {
    name: text(['接口标识', 'Interface ID'], { required: true, max: 15, like: interfaceName }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    private_key: secret(['私钥', 'Private key'], { required: true, max: 44, like: wireguardKey }),
    listen_port: port(['监听端口', 'Listen port'], { default: 51_820 }),
    addresses: rows(
      ['接口地址', 'Interface addresses'],
      { required: true, min: 1, max: 4 },
      { address: cidr(['地址/掩码', 'Address and prefix'], { required: true }) },
    ),
    mtu: int(['MTU', 'MTU'], { default: 1420, min: 1280, max: 1500, unit: 'B' }),
    link: ref(['绑定链路（空为自动）', 'Bound link (empty = automatic)'], 'network_wan'),
    peers: rows(
      ['对端', 'Peers'],
      { required: true, min: 1, max: 64 },
      {
        peer_name: text(['对端名称', 'Peer name'], { required: true }),
        public_key: text(['公钥', 'Public key'], { required: true, max: 44, like: wireguardKey }),
        preshared_key: secret(['预共享密钥', 'Pre-shared key'], { max: 44, like: wireguardKey }),
        endpoint_host: text(['对端地址', 'Endpoint host'], { max: 255, like: hostName }),
        endpoint_port: port(['对端端口', 'Endpoint port'], { default: 51_820 }),
        allowed_ips: rows(
          ['允许网段', 'Allowed IPs'],
          { required: true, min: 1, max: 32 },
          { subnet: cidr(['网段', 'Subnet'], { required: true }) },
        ),
        route_allowed: bool(['为允许网段建路由', 'Route allowed IPs'], { default: true }),
        keepalive: duration(['保活间隔（0关闭）', 'Keep-alive (0 = off)'], { default: 25, min: 0, max: 3600, unit: 's' }),
      },
    ),
  },
  rules: [portsFree, interfaceNamedOnce],
});
