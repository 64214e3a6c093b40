import { protocols } from '../../choices.ts';
import { bool, choice, cidr, iface, int, ports, ref, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { unique } from '../../kit/page-rules.ts';

export const defenseFirewallRule = list('defense_firewall_rule', {
  title: ['防火墙规则', 'Firewall rules'],
  summary: [
    '配置WAN、LAN、隧道与网关本机之间按序匹配的过滤规则。',
    'Ordered filter rules between WAN, LANs, tunnels and the gateway itself.',
  ],
  key: 'name',
  maxRows: 512,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    order: int(['序号', 'Order'], { required: true, default: 100, min: 1, max: 10_000 }),
    direction: choice(
      ['方向', 'Direction'],
      { forward: ['转发', 'Forward'], in: ['到本机', 'To gateway'], out: ['本机发出', 'From gateway'] },
      { required: true, default: 'forward' },
    ),
    action: choice(
      ['动作', 'Action'],
      { accept: ['允许', 'Accept'], drop: ['丢弃', 'Drop'], reject: ['拒绝', 'Reject'] },
      { required: true, default: 'drop' },
    ),
    in_interface: iface(['入接口', 'Incoming interface']),
    out_interface: iface(['出接口', 'Outgoing interface']),
    protocol: choice(['协议', 'Protocol'], protocols, { default: 'any' }),
    source_group: ref(['源地址组', 'Source address group'], 'network_ip_group'),
    src: cidr(['源网段', 'Source']),
    src_port: ports(['源端口', 'Source port']),
    dst_group: ref(['目的地址组', 'Destination group'], 'network_ip_group'),
    dst: cidr(['目的网段', 'Destination']),
    dst_port: ports(['目的端口', 'Destination port']),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
    log: bool(['记录日志', 'Log hits'], { default: false }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [unique('order')],
});
