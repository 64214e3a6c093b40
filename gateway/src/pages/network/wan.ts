import { addressModes, linkTypes, wanPorts } from '../../choices.ts';
import { bool, choice, int, interfaceAddress, ipv4, mac, rate, secret, text } from '../../kit/field.ts';
import { portOutsideLans } from '../../kit/lan-port-rule.ts';
import { list } from '../../kit/page.ts';
import { otherHostIn, unique } from '../../kit/page-rules.ts';
import { interfaceName } from '../../kit/patterns.ts';
import { unicastMac } from '../../kit/rules.ts';
import { interfaceNamedOnce, subnetsApart } from '../../kit/subnet-rules.ts';

export const networkWan = list('network_wan', {
  title: ['WAN设置', 'WAN'],
  summary: [
    '配置上联的端口、地址方式、VLAN、MTU、权重和标称带宽，每条即其他页面引用的链路。',
    'Uplinks: port, address mode, VLAN, MTU, weight and declared bandwidth; other pages refer to each entry as a link.',
  ],
  key: 'name',
  maxRows: 8,
  fields: {
    name: text(['接口标识', 'Interface ID'], { required: true, max: 15, like: interfaceName }),
    alias: text(['显示名称', 'Display name']),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    port: choice(['物理端口', 'Physical port'], wanPorts, { required: true, default: 'eth0' }),
    link_type: choice(['链路类型', 'Link type'], linkTypes, { required: true, default: '6d' }),
    proto: choice(['接入方式', 'Address mode'], addressModes, { required: true, default: 'dhcp' }),
    ipaddr: interfaceAddress(['IP地址/掩码', 'IP address and prefix'], { required: true, when: ['proto', 'static'] }),
    gateway: ipv4(['网关', 'Gateway'], { required: true, when: ['proto', 'static'] }),
    pppoe_username: text(['PPPoE账号', 'PPPoE username'], { required: true, max: 64, when: ['proto', 'pppoe'] }),
    pppoe_password: secret(['PPPoE密码', 'PPPoE password'], { required: true, max: 64, when: ['proto', 'pppoe'] }),
    pppoe_service: text(['PPPoE服务名', 'PPPoE service name'], { max: 64, when: ['proto', 'pppoe'] }),
    dns_mode: choice(
      ['DNS获取方式', 'DNS source'],
      { auto: ['自动获取', 'Automatic'], manual: ['手动指定', 'Manual'] },
      { default: 'auto' },
    ),
    dns1: ipv4(['首选DNS', 'Primary DNS'], { required: true, when: ['dns_mode', 'manual'] }),
    dns2: ipv4(['备用DNS', 'Secondary DNS'], { when: ['dns_mode', 'manual'] }),
    mtu: int(['MTU', 'MTU'], { default: 1500, min: 576, max: 1500, unit: 'B' }),
    mss_clamp: bool(['TCP MSS钳制', 'Clamp TCP MSS'], { default: true }),
    vlan_enabled: bool(['802.1Q标记', '802.1Q tagging'], { default: false }),
    vlan_id: int(['VLAN ID', 'VLAN ID'], { required: true, min: 1, max: 4094, when: ['vlan_enabled', true] }),
    vlan_priority: int(['802.1p优先级', '802.1p priority'], { default: 0, min: 0, max: 7, when: ['vlan_enabled', true] }),
    mac_clone: mac(['克隆MAC', 'Cloned MAC'], { like: unicastMac }),
    metric: int(['路由度量值', 'Route metric'], { default: 10, min: 1, max: 256 }),
    weight: int(['负载权重', 'Load weight'], { default: 1, min: 1, max: 1000 }),
    down_bandwidth: rate(['下行带宽', 'Download bandwidth'], { required: true, default: 4096 }),
    up_bandwidth: rate(['上行带宽', 'Upload bandwidth'], { required: true, default: 1024 }),
    nat: bool(['源地址转换（NAT）', 'Source NAT'], { default: true }),
    metered: bool(['按流量计费', 'Metered'], { default: false }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [unique('port', 'vlan_id'), portOutsideLans, otherHostIn('gateway', 'ipaddr'), subnetsApart, interfaceNamedOnce],
});
