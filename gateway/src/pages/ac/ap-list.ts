import { bool, choice, int, interfaceAddress, ipv4, mac, ref, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { otherHostIn } from '../../kit/page-rules.ts';
import { serialNumber } from '../../kit/patterns.ts';

export const acApList = list('ac_ap_list', {
  title: ['AP列表', 'Access points'],
  summary: ['管理AP的分组、位置和状态，可对单个AP单独配置。', 'Managed access points with group, location, state and per-AP overrides.'],
  key: 'mac',
  maxRows: 256,
  fields: {
    mac: mac(['MAC地址', 'MAC address'], { required: true }),
    sn: text(['序列号', 'Serial number'], { max: 32, like: serialNumber }),
    name: text(['AP名称', 'AP name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    group: ref(['所属分组', 'Group'], 'ac_ap_group', { required: true }),
    location: text(['安装位置', 'Location'], { max: 64 }),
    ip_mode: choice(['地址方式', 'Address mode'], { dhcp: ['DHCP', 'DHCP'], static: ['静态', 'Static'] }, { default: 'dhcp' }),
    ipaddr: interfaceAddress(['IP地址/掩码', 'IP address and prefix'], { required: true, when: ['ip_mode', 'static'] }),
    gateway: ipv4(['网关', 'Gateway'], { when: ['ip_mode', 'static'] }),
    radio_2g: ref(['2.4G射频模板', '2.4 GHz radio profile'], 'ac_radio'),
    radio_5g: ref(['5G射频模板', '5 GHz radio profile'], 'ac_radio'),
    mgmt_vlan: int(['管理VLAN（0不标记）', 'Management VLAN (0 = untagged)'], { default: 0, min: 0, max: 4094 }),
    led: bool(['指示灯', 'LED'], { default: true }),
    ap_state: choice(['AP状态', 'AP state'], { up: ['在线', 'Up'], offline: ['离线', 'Offline'] }, { default: 'offline', reported: true }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [otherHostIn('gateway', 'ipaddr')],
});
