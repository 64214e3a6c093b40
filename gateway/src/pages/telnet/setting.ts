import { bool, cidr, duration, iface, int, port, rows } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { portsFree } from '../../kit/port-rules.ts';

export const telnetSetting = form('telnet_setting', {
  title: ['Telnet设置', 'Telnet settings'],
  summary: [
    '设置终端服务：默认关闭，仅限LAN或平台远程接入，会话录制且限时。',
    'Console service: off by default, LAN or relayed access only, recorded and time-limited.',
  ],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: false }),
    port: port(['监听端口', 'Port'], { required: true, default: 23 }),
    interface: iface(['监听接口', 'Interface'], { required: true }),
    allow_from: rows(['允许来源', 'Allowed sources'], { max: 8 }, { subnet: cidr(['网段', 'Subnet'], { required: true }) }),
    relay: bool(['允许平台远程终端', 'Allow relayed terminals'], { default: true }),
    max_sessions: int(['最大会话数', 'Sessions'], { default: 2, min: 1, max: 8 }),
    idle_timeout: duration(['空闲断开', 'Idle disconnect'], { default: 10, min: 1, max: 60, unit: 'min' }),
    max_time: duration(['单次最长时间', 'Longest session'], { default: 60, min: 5, max: 480, unit: 'min' }),
    record: bool(['会话录制', 'Record sessions'], { default: true }),
    record_days: int(['录制保留', 'Keep recordings'], { default: 180, min: 7, max: 730, unit: 'd', when: ['record', true] }),
    block_on_lband: bool(['L波段时禁用', 'Off while on L-band'], { default: true }),
  },
  rules: [portsFree],
});
