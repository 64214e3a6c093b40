import { bool, choice, duration, int, rate, ref } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';

export const behaviorShareControl = form('behavior_share_control', {
  title: ['共享上网管控', 'Sharing control'],
  summary: [
    '发现共用同一付费账号的随身路由器和热点，并进行处置。',
    'Finds travel routers and hotspots that share one paid account and acts on them.',
  ],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: false }),
    detect_ttl: bool(['TTL检测', 'TTL check'], { default: true }),
    detect_ua: bool(['终端特征检测', 'Device fingerprint check'], { default: true }),
    detect_flow: bool(['时钟漂移检测', 'Clock-skew check'], { default: false }),
    max_devices: int(['每账号允许终端数', 'Devices per account'], { required: true, default: 2, min: 1, max: 20 }),
    action: choice(
      ['发现后动作', 'When found'],
      { log: ['仅记录', 'Log only'], warn: ['提示', 'Warn'], throttle: ['限速', 'Throttle'], block: ['阻断', 'Block'] },
      { required: true, default: 'warn' },
    ),
    throttle_rate: rate(['限速值', 'Throttle to'], { default: 256, when: ['action', 'throttle'] }),
    block_time: duration(['阻断时长', 'Block for'], { default: 10, min: 1, max: 1440, unit: 'min', when: ['action', 'block'] }),
    exempt_group: ref(['豁免地址组', 'Exempt group'], 'network_ip_group'),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
  },
});
