import { linkLocks } from '../../choices.ts';
import { bool, choice, duration, text, time } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';

export const linkChangeLock = form('link_change_lock', {
  title: ['链路锁定', 'Link lock'],
  summary: [
    '将卫星侧锁定到全球网或第二卫星网，直至手动解除或到期。',
    'Locks the satellite side to the global or the second satellite network until released or expired.',
  ],
  fields: {
    lock_state: choice(['锁定状态', 'Lock'], linkLocks, { required: true, default: 'unlocked' }),
    expiry: choice(
      ['锁定时限', 'Lock expiry'],
      { until_released: ['手动解除', 'Until released'], duration: ['指定时长', 'For a duration'], at_time: ['指定时间', 'Until a time'] },
      { default: 'until_released' },
    ),
    lock_hours: duration(['锁定时长', 'Lock duration'], {
      required: true,
      default: 24,
      min: 1,
      max: 720,
      unit: 'h',
      when: ['expiry', 'duration'],
    }),
    lock_until: time(['锁定截止', 'Lock until'], { required: true, when: ['expiry', 'at_time'] }),
    allow_emergency: bool(['允许应急链路', 'Allow emergency links'], { default: true }),
    auto_release: duration(['所锁网络脱网后自动解锁（0不解锁）', 'Release if the locked network is out for (0 = never)'], {
      default: 60,
      min: 0,
      max: 1440,
      unit: 'min',
    }),
    reason: text(['锁定原因', 'Reason'], { max: 128 }),
  },
});
