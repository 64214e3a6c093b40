import { lanPorts, lanPurposes } from '../../choices.ts';
import { bool, choice, int, interfaceAddress, rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { uniqueAmong } from '../../kit/page-rules.ts';
import { interfaceName } from '../../kit/patterns.ts';
import { interfaceNamedOnce, subnetsApart } from '../../kit/subnet-rules.ts';

export const networkLan = list('network_lan', {
  title: ['LAN设置', 'LAN'],
  summary: [
    '配置本地网络的端口、网关地址和用途，各网段可相互隔离。',
    'Local networks with their ports, gateway address and purpose; segments can be isolated from each other.',
  ],
  key: 'name',
  maxRows: 8,
  fields: {
    name: text(['接口标识', 'Interface ID'], { required: true, max: 15, like: interfaceName }),
    alias: text(['显示名称', 'Display name']),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    purpose: choice(['网络用途', 'Purpose'], lanPurposes, { required: true, default: 'crew' }),
    ipaddr: interfaceAddress(['网关地址/掩码', 'Gateway address and prefix'], { required: true, default: '192.168.10.1/24' }),
    ports: rows(
      ['成员端口', 'Member ports'],
      { required: true, min: 1, max: 7 },
      { port: choice(['端口', 'Port'], lanPorts, { required: true }) },
    ),
    secondary: rows(
      ['扩展地址', 'Secondary addresses'],
      { max: 8 },
      { ipaddr: interfaceAddress(['地址/掩码', 'Address and prefix'], { required: true }) },
    ),
    isolate: bool(['禁止访问其他内网', 'Block access to other LANs'], { default: true }),
    stp: bool(['生成树（防环）', 'Spanning tree (loop guard)'], { default: true }),
    mtu: int(['MTU', 'MTU'], { default: 1500, min: 576, max: 9000, unit: 'B' }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [uniqueAmong('ports', 'port'), subnetsApart, interfaceNamedOnce],
});
