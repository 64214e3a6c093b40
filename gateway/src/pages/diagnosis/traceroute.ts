import { bool, choice, duration, iface, int, port, text } from '../../kit/field.ts';
import { action } from '../../kit/page.ts';
import { hostName } from '../../kit/patterns.ts';

export const diagnosisTraceroute = action('diagnosis_traceroute', {
  title: ['路由跟踪', 'Traceroute'],
  summary: ['显示报文在指定链路上经过的各跳。', 'Shows the hops a packet takes on a given link.'],
  fields: {
    host: text(['目标地址或域名', 'Host'], { required: true, max: 255, like: hostName }),
    protocol: choice(['探测方式', 'Method'], { icmp: ['ICMP', 'ICMP'], udp: ['UDP', 'UDP'], tcp: ['TCP', 'TCP'] }, { default: 'icmp' }),
    port: port(['TCP端口', 'TCP port'], { default: 443, when: ['protocol', 'tcp'] }),
    interface: iface(['源接口', 'Source interface']),
    max_hops: int(['最大跳数', 'Maximum hops'], { default: 20, min: 1, max: 64 }),
    timeout: duration(['每跳超时', 'Timeout per hop'], { default: 4, min: 1, max: 30, unit: 's' }),
    resolve: bool(['解析主机名', 'Resolve names'], { default: false }),
  },
});
