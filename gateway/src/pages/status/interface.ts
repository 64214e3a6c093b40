import { carrierStates } from '../../choices.ts';
import { choice, cidr, iface, int, mac, rate, text } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const statusInterface = status('status_interface', {
  title: ['接口状态', 'Interfaces'],
  summary: [
    '查看物理与逻辑接口的地址、协商速率、收发速率和错误计数。',
    'Physical and logical interfaces with addresses, negotiated speed, rates and error counters.',
  ],
  fields: {
    interface: iface(['接口', 'Interface']),
    port: text(['物理端口', 'Physical port']),
    role: choice(['用途', 'Role'], {
      wan: ['外网', 'WAN'],
      lan: ['内网', 'LAN'],
      vlan: ['VLAN', 'VLAN'],
      tunnel: ['隧道', 'Tunnel'],
      unused: ['未绑定', 'Unbound'],
    }),
    carrier: choice(['物理状态', 'Carrier'], carrierStates),
    ipaddr: cidr(['IP地址', 'IP address']),
    mac: mac(['MAC地址', 'MAC address']),
    speed: int(['协商速率（Mbps）', 'Negotiated speed (Mbps)']),
    duplex: choice(['双工', 'Duplex'], { full: ['全双工', 'Full'], half: ['半双工', 'Half'] }),
    rx_rate: rate(['接收速率', 'Receive rate']),
    tx_rate: rate(['发送速率', 'Transmit rate']),
    rx_bytes: int(['接收字节', 'Received bytes']),
    tx_bytes: int(['发送字节', 'Sent bytes']),
    errors: int(['错误包', 'Errors']),
    drops: int(['丢弃包', 'Drops']),
  },
});
