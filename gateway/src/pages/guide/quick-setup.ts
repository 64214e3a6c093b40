import { addressModes, languages, linkTypes, timezones, wanPorts } from '../../choices.ts';
import { bool, choice, interfaceAddress, ipv4, secret, text } from '../../kit/field.ts';
import { wizard } from '../../kit/page.ts';
import { ordered, otherHostIn } from '../../kit/page-rules.ts';
import { strongPassword } from '../../kit/patterns.ts';

export const guideQuickSetup = wizard('guide_quick_setup', {
  title: ['快速配置', 'Quick setup'],
  summary: [
    '引导新网关上线：设备名称、管理员密码、首条上联、LAN与DHCP。',
    'Brings a new gateway online: identity, administrator password, first uplink, LAN and DHCP.',
  ],
  fields: {
    device_name: text(['设备名称', 'Device name'], { required: true }),
    language: choice(['界面语言', 'Interface language'], languages, { default: 'zh' }),
    timezone: choice(['时区', 'Time zone'], timezones, { required: true, default: 'UTC+8' }),
    admin_password: secret(['管理员密码', 'Administrator password'], { required: true, max: 32, like: strongPassword }),
    wan_port: choice(['上联端口', 'Uplink port'], wanPorts, { required: true, default: 'eth0' }),
    wan_link_type: choice(['链路类型', 'Link type'], linkTypes, { required: true, default: '6d' }),
    wan_proto: choice(['接入方式', 'Address mode'], addressModes, { required: true, default: 'dhcp' }),
    wan_ipaddr: interfaceAddress(['IP地址/掩码', 'IP address and prefix'], { required: true, when: ['wan_proto', 'static'] }),
    wan_gateway: ipv4(['网关', 'Gateway'], { required: true, when: ['wan_proto', 'static'] }),
    pppoe_username: text(['PPPoE账号', 'PPPoE username'], { required: true, max: 64, when: ['wan_proto', 'pppoe'] }),
    pppoe_password: secret(['PPPoE密码', 'PPPoE password'], { required: true, max: 64, when: ['wan_proto', 'pppoe'] }),
    lan_ipaddr: interfaceAddress(['LAN地址/掩码', 'LAN address and prefix'], { required: true, default: '192.168.10.1/24' }),
    dhcp_enabled: bool(['开启DHCP服务', 'Enable DHCP server'], { default: true }),
    dhcp_start: ipv4(['地址池起始', 'Pool start'], { required: true, default: '192.168.10.50', when: ['dhcp_enabled', true] }),
    dhcp_end: ipv4(['地址池结束', 'Pool end'], { required: true, default: '192.168.10.250', when: ['dhcp_enabled', true] }),
  },
  rules: [
    otherHostIn('wan_gateway', 'wan_ipaddr'),
    ordered('dhcp_start', 'dhcp_end'),
    otherHostIn('dhcp_start', 'lan_ipaddr'),
    otherHostIn('dhcp_end', 'lan_ipaddr'),
  ],
});
