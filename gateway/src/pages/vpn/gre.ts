import { bool, cidr, duration, int, ipv4, ref, rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { interfaceName } from '../../kit/patterns.ts';
import { interfaceNamedOnce } from '../../kit/subnet-rules.ts';

export const vpnGre = list('vpn_gre', {
  title: ['GRE', 'GRE'],
  summary: ['配置普通或IPsec保护的GRE隧道，含保活和路由。', 'Plain or IPsec-protected GRE tunnels with keep-alive and routes.'],
  key: 'name',
  maxRows: 16,
  fields: {
    name: text(['接口标识', 'Interface ID'], { required: true, max: 15, like: interfaceName }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    link: ref(['源链路', 'Source link'], 'network_wan', { required: true }),
    remote: ipv4(['对端地址', 'Remote address'], { required: true }),
    tunnel_ip: cidr(['隧道地址/掩码', 'Tunnel address and prefix'], { required: true }),
    tunnel_peer: ipv4(['隧道对端地址', 'Tunnel peer address'], { required: true }),
    tunnel_key: int(['隧道Key', 'Tunnel key'], { min: 0, max: 4_294_967_295 }),
    mtu: int(['MTU', 'MTU'], { default: 1476, min: 576, max: 1500, unit: 'B' }),
    ttl: int(['TTL', 'TTL'], { default: 64, min: 1, max: 255 }),
    checksum: bool(['校验和', 'Checksum'], { default: false }),
    keepalive: duration(['保活间隔（0关闭）', 'Keep-alive (0 = off)'], { default: 10, min: 0, max: 300, unit: 's' }),
    keepalive_retry: int(['保活重试', 'Keep-alive retries'], { default: 3, min: 1, max: 10 }),
    ipsec: ref(['IPsec保护', 'Protecting IPsec'], 'vpn_ipsec'),
    routes: rows(['经隧道网段', 'Routes through the tunnel'], { max: 32 }, { subnet: cidr(['网段', 'Subnet'], { required: true }) }),
  },
  rules: [interfaceNamedOnce],
});
