import { choice, iface, int, ipv4, mac, rate, span, text, time } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const statusTerminal = status('status_terminal', {
  title: ['终端列表', 'Terminals'],
  summary: [
    '列出LAN侧全部终端及其接入AP、上网账号、速率和连接数。',
    'Every device seen on the LAN side with its access point, account, rates and sessions.',
  ],
  fields: {
    hostname: text(['主机名', 'Host name']),
    ip: ipv4(['IP地址', 'IP address']),
    mac: mac(['MAC地址', 'MAC address']),
    vendor: text(['厂商', 'Vendor']),
    terminal_type: choice(['终端类型', 'Terminal type'], {
      phone: ['手机', 'Phone'],
      pc: ['电脑', 'PC'],
      pad: ['平板', 'Tablet'],
      iot: ['物联设备', 'IoT device'],
      router: ['路由器', 'Router'],
      unknown: ['未知', 'Unknown'],
    }),
    access: choice(['接入方式', 'Access'], { wired: ['有线', 'Wired'], wireless: ['无线', 'Wireless'] }),
    interface: iface(['接口', 'Interface']),
    ssid: text(['无线名称', 'SSID']),
    account: text(['上网账号', 'Account']),
    up_rate: rate(['上行速率', 'Upload rate']),
    down_rate: rate(['下行速率', 'Download rate']),
    sessions: int(['连接数', 'Sessions']),
    online_time: span(['在线时长', 'Time online']),
    last_seen: time(['最近活跃', 'Last seen']),
  },
});
