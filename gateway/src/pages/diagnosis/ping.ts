import { bool, choice, duration, iface, int, port, text } from '../../kit/field.ts';
import { action } from '../../kit/page.ts';
import { hostName } from '../../kit/patterns.ts';

export const diagnosisPing = action('diagnosis_ping', {
  title: ['Ping测试', 'Ping'],
  summary: ['从指定接口或链路进行ICMP或TCP连通性测试。', 'ICMP or TCP reachability from a chosen interface or link.'],
  fields: {
    host: text(['目标地址或域名', 'Host'], { required: true, max: 255, like: hostName }),
    protocol: choice(['协议', 'Protocol'], { icmp: ['ICMP', 'ICMP'], tcp: ['TCP', 'TCP'] }, { default: 'icmp' }),
    port: port(['TCP端口', 'TCP port'], { required: true, default: 443, when: ['protocol', 'tcp'] }),
    interface: iface(['源接口', 'Source interface']),
    count: int(['次数', 'Count'], { default: 4, min: 1, max: 100 }),
    size: int(['包长', 'Packet size'], { default: 56, min: 8, max: 1472, unit: 'B' }),
    df: bool(['不分片', 'Do not fragment'], { default: false }),
    timeout: duration(['超时', 'Timeout'], { default: 4, min: 1, max: 30, unit: 's' }),
  },
});
