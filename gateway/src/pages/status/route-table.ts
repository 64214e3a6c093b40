import { choice, cidr, iface, int, ipv4, text } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const statusRouteTable = status('status_route_table', {
  title: ['路由表', 'Routing table'],
  summary: [
    '按路由表查看生效路由，含链路切换、仲裁和隧道写入的路由。',
    'Effective routes per table, including those written by link change, arbiter and tunnels.',
  ],
  fields: {
    table: text(['路由表', 'Table']),
    destination: cidr(['目的网段', 'Destination']),
    gateway: ipv4(['下一跳', 'Next hop']),
    interface: iface(['出接口', 'Interface']),
    metric: int(['度量值', 'Metric']),
    origin: choice(['来源', 'Origin'], {
      connected: ['直连', 'Connected'],
      static: ['静态', 'Static'],
      dhcp: ['DHCP', 'DHCP'],
      ppp: ['拨号', 'PPP'],
      link_change: ['链路切换', 'Link change'],
      arbiter: ['仲裁', 'Arbiter'],
      vpn: ['VPN', 'VPN'],
    }),
  },
});
