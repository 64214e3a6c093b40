import { bool, choice, duration, int, percent, ref } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { betterAbove, betterBelow } from '../../kit/page-rules.ts';

export const linkChangeThreshold = list('link_change_threshold', {
  title: ['切换阈值', 'Thresholds'],
  summary: [
    '按链路设置劣化与恢复阈值；GEO、低轨、蜂窝和L波段的时延限值差别很大。',
    'Per-link fail and recover levels; GEO, LEO, cellular and L-band need very different latency limits.',
  ],
  key: 'link',
  maxRows: 8,
  fields: {
    link: ref(['链路', 'Link'], 'network_wan', { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    latency_fail: int(['劣化时延', 'Latency, fail'], { default: 1500, min: 50, max: 10_000, unit: 'ms' }),
    latency_recover: int(['恢复时延', 'Latency, recover'], { default: 900, min: 20, max: 10_000, unit: 'ms' }),
    loss_fail: percent(['劣化丢包率', 'Loss, fail'], { default: 40, min: 1 }),
    loss_recover: percent(['恢复丢包率', 'Loss, recover'], { default: 10 }),
    signal_type: choice(
      ['信号判据', 'Signal criterion'],
      { none: ['不判断', 'None'], snr: ['卫星信噪比', 'Satellite SNR'], rsrp: ['蜂窝RSRP', 'Cellular RSRP'] },
      { default: 'none' },
    ),
    snr_fail: int(['劣化信噪比', 'SNR, fail'], { default: 4, min: -10, max: 30, unit: 'dB', when: ['signal_type', 'snr'] }),
    snr_recover: int(['恢复信噪比', 'SNR, recover'], { default: 6, min: -10, max: 30, unit: 'dB', when: ['signal_type', 'snr'] }),
    rsrp_fail: int(['劣化RSRP', 'RSRP, fail'], { default: -115, min: -140, max: -44, unit: 'dBm', when: ['signal_type', 'rsrp'] }),
    rsrp_recover: int(['恢复RSRP', 'RSRP, recover'], { default: -108, min: -140, max: -44, unit: 'dBm', when: ['signal_type', 'rsrp'] }),
    fail_count: int(['连续劣化次数', 'Consecutive failures'], { default: 5, min: 1, max: 100 }),
    recover_count: int(['连续恢复次数', 'Consecutive recoveries'], { default: 10, min: 1, max: 100 }),
    blockage_grace: duration(['遮挡宽限时间', 'Grace while blocked'], { default: 60, min: 0, max: 1800, unit: 's' }),
  },
  rules: [
    betterBelow('latency_recover', 'latency_fail'),
    betterBelow('loss_recover', 'loss_fail'),
    betterAbove('snr_recover', 'snr_fail'),
    betterAbove('rsrp_recover', 'rsrp_fail'),
  ],
});
