import { bool, choice, duration, int, ipv4, ref, rows, secret, text } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { accessPoint } from '../../kit/patterns.ts';
import { outsideLans } from '../../kit/subnet-rules.ts';

export const satelliteRouteLband = form('satellite_route_lband', {
  title: ['L波段备份', 'L-band backup'],
  summary: ['配置高资费应急链路的会话方式、放行业务和流量上限。', 'Costly emergency link: session mode, allowed traffic and data cap.'],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: true }),
    terminal: choice(
      ['终端类型', 'Terminal'],
      {
        fbb: ['Inmarsat FleetBroadband', 'Inmarsat FleetBroadband'],
        certus: ['Iridium Certus', 'Iridium Certus'],
        tiantong: ['天通一号', 'Tiantong-1'],
        other: ['其他', 'Other'],
      },
      { required: true, default: 'fbb' },
    ),
    link: ref(['承载WAN口', 'Carrying WAN'], 'network_wan', { required: true }),
    mgmt_ip: ipv4(['管理地址', 'Management address'], { required: true, default: '192.168.1.1' }),
    username: text(['账号', 'Username'], { default: 'admin', max: 32 }),
    password: secret(['密码', 'Password'], { max: 64 }),
    apn: text(['APN', 'APN'], { max: 64, like: accessPoint }),
    session: choice(
      ['会话方式', 'Session'],
      {
        on_failover: ['主链路中断时建立', 'Only on failover'],
        on_demand: ['有放行业务时建立', 'On demand'],
        always: ['常在线', 'Always on'],
      },
      { required: true, default: 'on_failover' },
    ),
    service: choice(
      ['业务类型', 'Service class'],
      { background: ['标准IP（按流量）', 'Standard IP (per volume)'], streaming: ['流媒体（按时长）', 'Streaming (per minute)'] },
      { required: true, default: 'background' },
    ),
    streaming_rate: choice(
      ['流媒体速率', 'Streaming rate'],
      { '32': ['32 kbps', '32 kbps'], '64': ['64 kbps', '64 kbps'], '128': ['128 kbps', '128 kbps'], '256': ['256 kbps', '256 kbps'] },
      { required: true, default: '32', when: ['service', 'streaming'] },
    ),
    idle_timeout: duration(['空闲断开', 'Idle disconnect'], { default: 300, min: 30, max: 7200, unit: 's' }),
    whitelist_only: bool(['仅放行指定业务流', 'Only listed flow classes'], { default: true }),
    flow_classes: rows(
      ['放行的业务流', 'Allowed flow classes'],
      { max: 16, when: ['whitelist_only', true] },
      { flow_class: ref(['业务流', 'Flow class'], 'arbiter_flow_class', { required: true }) },
    ),
    session_cap_mb: int(['单次会话上限（0不限）', 'Cap per session (0 = none)'], { default: 20, min: 0, max: 100_000, unit: 'MB' }),
    daily_cap_mb: int(['每日上限（0不限）', 'Daily cap (0 = none)'], { default: 100, min: 0, max: 1_000_000, unit: 'MB' }),
    keep_heartbeat: bool(['保留平台心跳', 'Keep platform heartbeat'], { default: true }),
  },
  rules: [outsideLans('mgmt_ip')],
});
