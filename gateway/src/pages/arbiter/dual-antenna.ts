import { bool, choice, duration, int, ref } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';

export const arbiterDualAntenna = form('arbiter_dual_antenna', {
  title: ['双天线仲裁', 'Dual-antenna arbitration'],
  summary: [
    '两副稳定天线中一副被遮挡或失锁时，选择由哪一副接入调制解调器。',
    'Chooses which of two stabilized antennas feeds the modem when one is blocked or loses the satellite.',
  ],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: false }),
    modem: ref(['共用的调制解调器', 'Shared modem'], 'satellite_route_modem', { required: true }),
    mode: choice(
      ['仲裁方式', 'Mode'],
      { auto: ['自动', 'Automatic'], force_a: ['强制天线A', 'Force antenna A'], force_b: ['强制天线B', 'Force antenna B'] },
      { required: true, default: 'auto' },
    ),
    preferred: choice(
      ['优选天线', 'Preferred antenna'],
      { none: ['不优选', 'None'], a: ['天线A', 'Antenna A'], b: ['天线B', 'Antenna B'] },
      { default: 'none', when: ['mode', 'auto'] },
    ),
    on_blockage: bool(['进入遮挡区前切换', 'Switch before entering a blockage zone'], { default: true, when: ['mode', 'auto'] }),
    on_unlock: bool(['失锁时切换', 'Switch on loss of lock'], { default: true, when: ['mode', 'auto'] }),
    signal_gap: int(['信号差切换门限', 'Signal gap to switch'], { default: 3, min: 1, max: 20, unit: 'dB', when: ['mode', 'auto'] }),
    switch_delay: duration(['切换确认', 'Switch delay'], { default: 3, min: 0, max: 60, unit: 's' }),
    min_hold: duration(['最短保持', 'Minimum hold'], { default: 120, min: 0, max: 3600, unit: 's' }),
    return_on_clear: bool(['遮挡解除即切回', 'Return as soon as blockage clears'], { default: false, when: ['mode', 'auto'] }),
    gps_source: choice(
      ['向调制解调器提供定位', 'Position given to the modem'],
      { active: ['在用天线', 'Active antenna'], a: ['天线A', 'Antenna A'], b: ['天线B', 'Antenna B'] },
      { default: 'active' },
    ),
    notify: bool(['切换通知', 'Notify on switch'], { default: true }),
  },
});
