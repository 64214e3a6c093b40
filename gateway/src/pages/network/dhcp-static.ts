import { bool, iface, ipv4, mac, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { unique } from '../../kit/page-rules.ts';
import { hostLabel } from '../../kit/patterns.ts';
import { unicastMac } from '../../kit/rules.ts';
import { avoidsInterface, insideInterface } from '../../kit/subnet-rules.ts';

const lease = { title: ['静态绑定', 'The static lease'], key: 'mac' } as const;

export const networkDhcpStatic = list('network_dhcp_static', {
  title: ['静态绑定', 'Static leases'],
  summary: [
    '按MAC为服务器、摄像机、AP和驾驶台设备分配固定地址。',
    'Fixed address per MAC for servers, cameras, access points and bridge equipment.',
  ],
  key: 'mac',
  maxRows: 2000,
  fields: {
    mac: mac(['MAC地址', 'MAC address'], { required: true, like: unicastMac }),
    ip: ipv4(['IP地址', 'IP address'], { required: true }),
    hostname: text(['主机名', 'Host name'], { max: 63, like: hostLabel }),
    interface: iface(['接口', 'Interface'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [unique('ip'), insideInterface(lease, 'ip'), avoidsInterface(lease, 'ip', 'ip')],
});
