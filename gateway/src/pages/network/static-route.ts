import { bool, choice, cidr, iface, int, ipv4, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';

export const networkStaticRoute = list('network_static_route', {
  title: ['静态路由', 'Static routes'],
  summary: ['配置指向下一跳或接口的固定路由，度量值小者优先。', 'Fixed routes to a next hop or an interface; lower metric wins.'],
  key: 'name',
  maxRows: 256,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    destination: cidr(['目的网段', 'Destination'], { required: true }),
    route_type: choice(
      ['类型', 'Type'],
      { unicast: ['普通', 'Unicast'], blackhole: ['黑洞', 'Blackhole'], unreachable: ['不可达', 'Unreachable'] },
      { default: 'unicast' },
    ),
    gateway: ipv4(['下一跳', 'Next hop'], { when: ['route_type', 'unicast'] }),
    interface: iface(['出接口', 'Interface'], { required: true, when: ['route_type', 'unicast'] }),
    metric: int(['度量值', 'Metric'], { default: 10, min: 1, max: 256 }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
