import { bool, choice, domain, duration, int, port, ref, rows, text, url } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { atLeast, requiredIf, withinLineCount } from '../../kit/page-rules.ts';
import { hostName } from '../../kit/patterns.ts';

export const arbiterProbe = list('arbiter_probe', {
  title: ['健康探测', 'Health probes'],
  summary: [
    '配置链路健康探测；备用和计费链路降低探测频率，以节省空口流量。',
    'Link health checks; standby and metered links are probed less often to save airtime.',
  ],
  key: 'name',
  maxRows: 32,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    link: ref(['链路', 'Link'], 'network_wan', { required: true }),
    method: choice(
      ['探测方式', 'Method'],
      {
        icmp: ['ICMP', 'ICMP'],
        tcp: ['TCP连接', 'TCP connect'],
        dns: ['DNS查询', 'DNS lookup'],
        http: ['HTTP请求', 'HTTP request'],
        modem: ['调制解调器入网状态', 'Modem network state'],
      },
      { required: true, default: 'icmp' },
    ),
    targets: rows(
      ['探测目标', 'Targets'],
      { max: 6 },
      { host: text(['地址或域名', 'Address or host'], { required: true, max: 255, like: hostName }) },
    ),
    reliability: int(['判定正常所需目标数', 'Targets that must answer'], { default: 1, min: 1, max: 6 }),
    tcp_port: port(['TCP端口', 'TCP port'], { required: true, default: 443, when: ['method', 'tcp'] }),
    dns_name: domain(['查询域名', 'Name to look up'], { required: true, when: ['method', 'dns'] }),
    http_url: url(['请求地址', 'Request URL'], { required: true, when: ['method', 'http'] }),
    interval: duration(['主用探测间隔', 'Interval when active'], { required: true, default: 10, min: 1, max: 3600, unit: 's' }),
    standby_interval: duration(['备用探测间隔', 'Interval on standby'], { required: true, default: 300, min: 5, max: 86_400, unit: 's' }),
    timeout: duration(['超时', 'Timeout'], { required: true, default: 4, min: 1, max: 30, unit: 's' }),
    count: int(['每次发包数', 'Packets per probe'], { default: 1, min: 1, max: 5 }),
    size: int(['包长', 'Packet size'], { default: 56, min: 8, max: 1472, unit: 'B' }),
    down: int(['连续失败判定中断', 'Failures to go down'], { default: 3, min: 1, max: 20 }),
    up: int(['连续成功判定恢复', 'Successes to come up'], { default: 5, min: 1, max: 20 }),
  },
  rules: [
    requiredIf('targets', (probe) => probe.method !== 'modem'),
    withinLineCount('reliability', 'targets', (probe) => probe.method !== 'modem'),
    atLeast('standby_interval', 'interval'),
  ],
});
