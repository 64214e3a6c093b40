import { bool, choice, duration, iface, ipv4, rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { ordered, rangesApart } from '../../kit/page-rules.ts';
import { hexBytes, hostName } from '../../kit/patterns.ts';
import { avoidsInterface, insideInterface } from '../../kit/subnet-rules.ts';

const pool = { title: ['地址池', 'The address pool'], key: 'name' } as const;

export const networkDhcpServer = list('network_dhcp_server', {
  title: ['DHCP服务', 'DHCP server'],
  summary: [
    '按LAN或VLAN配置地址池，含引导AP发现AC的DHCP选项。',
    'Address pools per LAN or VLAN, including the DHCP options that direct access points to the controller.',
  ],
  key: 'name',
  maxRows: 32,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    interface: iface(['服务接口', 'Interface'], { required: true }),
    mode: choice(['工作模式', 'Mode'], { server: ['地址分配', 'Server'], relay: ['中继', 'Relay'] }, { required: true, default: 'server' }),
    relay_server: ipv4(['中继服务器', 'Relay server'], { required: true, when: ['mode', 'relay'] }),
    start: ipv4(['起始地址', 'First address'], { required: true, when: ['mode', 'server'] }),
    end: ipv4(['结束地址', 'Last address'], { required: true, when: ['mode', 'server'] }),
    gateway: ipv4(['网关', 'Gateway'], { when: ['mode', 'server'] }),
    dns1: ipv4(['首选DNS', 'Primary DNS'], { when: ['mode', 'server'] }),
    dns2: ipv4(['备用DNS', 'Secondary DNS'], { when: ['mode', 'server'] }),
    lease_time: duration(['租期', 'Lease time'], { default: 120, min: 2, max: 43_200, unit: 'min', when: ['mode', 'server'] }),
    domain: text(['域名后缀', 'Domain suffix'], { max: 64, like: hostName, when: ['mode', 'server'] }),
    option138: ipv4(['Option 138（AC地址）', 'Option 138 (AC address)'], { when: ['mode', 'server'] }),
    option43: text(['Option 43（十六进制）', 'Option 43 (hex)'], { max: 128, like: hexBytes, when: ['mode', 'server'] }),
    exclude: rows(['排除地址', 'Excluded addresses'], { max: 64 }, { ip: ipv4(['地址', 'Address'], { required: true }) }),
    rogue_check: bool(['检测私设DHCP', 'Detect rogue DHCP servers'], { default: true }),
  },
  rules: [
    ordered('start', 'end'),
    insideInterface(pool, 'start', 'end', 'gateway'),
    avoidsInterface(pool, 'start', 'end', 'exclude'),
    rangesApart('start', 'end', 'interface'),
  ],
});
