import { lanPorts, lanPurposes } from '../../choices.ts';
import { bool, choice, int, interfaceAddress, ref, rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { unique } from '../../kit/page-rules.ts';
import { interfaceName } from '../../kit/patterns.ts';
import { interfaceNamedOnce, subnetsApart } from '../../kit/subnet-rules.ts';

export const networkVlan = list('network_vlan', {
  title: ['VLAN设置', 'VLAN'],
  summary: [
    '在LAN上划分带标签的子网，各自设置网关地址和标签端口。',
    'Tagged sub-networks on a LAN, each with its own gateway address and tagged ports.',
  ],
  key: 'name',
  maxRows: 64,
  fields: {
    name: text(['接口标识', 'Interface ID'], { required: true, max: 15, like: interfaceName }),
    vlan_id: int(['VLAN ID', 'VLAN ID'], { required: true, min: 1, max: 4094 }),
    parent: ref(['所属LAN', 'Parent LAN'], 'network_lan', { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    purpose: choice(['网络用途', 'Purpose'], lanPurposes, { required: true, default: 'crew' }),
    ipaddr: interfaceAddress(['网关地址/掩码', 'Gateway address and prefix'], { required: true }),
    tagged_ports: rows(['标记端口', 'Tagged ports'], { max: 7 }, { port: choice(['端口', 'Port'], lanPorts, { required: true }) }),
    isolate: bool(['禁止访问其他内网', 'Block access to other LANs'], { default: true }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [unique('vlan_id', 'parent'), subnetsApart, interfaceNamedOnce],
});
