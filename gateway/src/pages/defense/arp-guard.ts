import { bool, choice, duration, int } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';

export const defenseArpGuard = form('defense_arp_guard', {
  title: ['ARP防护', 'ARP protection'],
  summary: ['LAN侧ARP欺骗检测、免费ARP发送和非法DHCP阻断。', 'Spoofing detection, gratuitous ARP and rogue DHCP blocking on the LAN side.'],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: true }),
    block_unbound: bool(['禁止未绑定终端上网', 'Block unbound hosts'], { default: false }),
    detect_spoof: bool(['ARP欺骗检测', 'Detect spoofing'], { default: true }),
    detect_conflict: bool(['IP冲突检测', 'Detect address conflicts'], { default: true }),
    gratuitous: bool(['主动发送免费ARP', 'Send gratuitous ARP'], { default: true }),
    gratuitous_interval: duration(['发送间隔', 'Interval'], { default: 30, min: 1, max: 3600, unit: 's', when: ['gratuitous', true] }),
    arp_rate: int(['单机ARP速率上限', 'ARP rate limit per host'], { default: 50, min: 5, max: 1000, unit: 'pps' }),
    block_rogue_dhcp: bool(['阻断私设DHCP', 'Block rogue DHCP'], { default: true }),
    action: choice(
      ['发现攻击时', 'On attack'],
      { log: ['仅记录', 'Log only'], isolate: ['隔离终端', 'Isolate host'] },
      { required: true, default: 'isolate' },
    ),
    isolate_time: duration(['隔离时长', 'Isolation time'], { default: 10, min: 1, max: 1440, unit: 'min', when: ['action', 'isolate'] }),
  },
});
