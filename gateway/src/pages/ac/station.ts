import { radioBands } from '../../choices.ts';
import { choice, int, ipv4, mac, rate, ref, span, text } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const acStation = status('ac_station', {
  title: ['无线终端', 'Wireless clients'],
  summary: ['按AP查看无线终端的信号、速率和流量。', 'Clients per access point with signal, rate and traffic.'],
  fields: {
    mac: mac(['MAC地址', 'MAC address']),
    ip: ipv4(['IP地址', 'IP address']),
    hostname: text(['主机名', 'Host name']),
    account: text(['上网账号', 'Account']),
    ap: ref(['接入AP', 'Access point'], 'ac_ap_list'),
    ssid: ref(['无线网络', 'SSID'], 'ac_ssid'),
    band: choice(['频段', 'Band'], radioBands),
    channel: int(['信道', 'Channel']),
    rssi: int(['信号（dBm）', 'Signal (dBm)']),
    tx_rate: rate(['发送速率', 'Transmit rate']),
    rx_rate: rate(['接收速率', 'Receive rate']),
    up_bytes: int(['上行（B）', 'Up (B)']),
    down_bytes: int(['下行（B）', 'Down (B)']),
    online_time: span(['在线时长', 'Time online']),
  },
});
