import { linkTypes } from '../../choices.ts';
import { choice, int, ipv4, percent, rate, ref, span, text, time } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const statusLink = status('status_link', {
  title: ['链路状态', 'Links'],
  summary: ['实时查看各上联链路的健康状况、用量及当前角色。', 'Live health, usage and current role of each uplink.'],
  fields: {
    link: ref(['链路', 'Link'], 'network_wan'),
    link_type: choice(['链路类型', 'Link type'], linkTypes),
    state: choice(['状态', 'State'], { on: ['正常', 'On'], off: ['断开', 'Off'], abnormal: ['异常', 'Abnormal'] }),
    role: choice(['当前角色', 'Current role'], {
      active: ['主用', 'Active'],
      standby: ['热备', 'Hot standby'],
      cold: ['冷备', 'Cold standby'],
      forbidden: ['围栏禁用', 'Forbidden by fence'],
      locked_out: ['被锁定排除', 'Excluded by lock'],
    }),
    ipaddr: ipv4(['接口地址', 'Interface address']),
    public_ip: ipv4(['出口地址', 'Egress address']),
    latency: int(['时延（ms）', 'Latency (ms)']),
    jitter: int(['抖动（ms）', 'Jitter (ms)']),
    loss: percent(['丢包率', 'Packet loss']),
    signal: text(['信号（dB/dBm）', 'Signal (dB/dBm)']),
    rx_rate: rate(['下行速率', 'Download rate']),
    tx_rate: rate(['上行速率', 'Upload rate']),
    cycle_usage_mb: int(['本周期用量（MB）', 'Usage this cycle (MB)']),
    quota_percent: percent(['配额占用', 'Quota used']),
    online_time: span(['在线时长', 'Time online']),
    last_probe: time(['最近探测', 'Last probe']),
  },
});
