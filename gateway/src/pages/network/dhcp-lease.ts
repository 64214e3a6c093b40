import { choice, iface, ipv4, mac, text, time } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const networkDhcpLease = status('network_dhcp_lease', {
  title: ['DHCP租约', 'DHCP leases'],
  summary: ['查看当前已分配的地址、使用者和到期时间。', 'Assigned addresses, their users and expiry.'],
  fields: {
    ip: ipv4(['IP地址', 'IP address']),
    mac: mac(['MAC地址', 'MAC address']),
    hostname: text(['主机名', 'Host name']),
    interface: iface(['接口', 'Interface']),
    lease_type: choice(['类型', 'Type'], { dynamic: ['动态', 'Dynamic'], static: ['静态绑定', 'Static'] }),
    state: choice(['状态', 'State'], { active: ['使用中', 'Active'], expired: ['已过期', 'Expired'], conflict: ['地址冲突', 'Conflict'] }),
    start_at: time(['分配时间', 'Assigned at']),
    expire_at: time(['到期时间', 'Expires at']),
  },
});
