import { protocols } from '../../choices.ts';
import { bool, choice, cidr, duration, iface, int, ports, ref, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { unique } from '../../kit/page-rules.ts';

export const networkPolicyRoute = list('network_policy_route', {
  title: ['策略路由', 'Policy routes'],
  summary: [
    '在链路仲裁之前将匹配流量固定到指定链路，适用于固定业务。',
    'Pins matching traffic to one link before the arbiter; for fixed services.',
  ],
  key: 'name',
  maxRows: 128,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    order: int(['序号', 'Order'], { required: true, default: 100, min: 1, max: 1000 }),
    source_group: ref(['源地址组', 'Source address group'], 'network_ip_group'),
    interface: iface(['入接口', 'Incoming interface']),
    protocol: choice(['协议', 'Protocol'], protocols, { default: 'any' }),
    dst: cidr(['目的网段', 'Destination']),
    dst_port: ports(['目的端口', 'Destination port']),
    link: ref(['指定链路', 'Link'], 'network_wan', { required: true }),
    fallback: choice(
      ['链路不可用时', 'When the link is down'],
      { next: ['匹配下一条', 'Try next rule'], main: ['走主路由表', 'Use main table'], blackhole: ['丢弃', 'Drop'] },
      { required: true, default: 'next' },
    ),
    sticky: bool(['会话保持', 'Sticky sessions'], { default: true }),
    sticky_timeout: duration(['保持时间', 'Sticky timeout'], { default: 600, min: 1, max: 86_400, unit: 's', when: ['sticky', true] }),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [unique('order')],
});
