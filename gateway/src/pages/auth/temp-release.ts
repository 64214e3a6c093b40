import { bool, duration, int, rate } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';

export const authTempRelease = form('auth_temp_release', {
  title: ['临时放行', 'Temporary release'],
  summary: [
    '付费前短时免费放行：设置时长、次数、锁定和限速，0表示不限。',
    'Short free access before payment: time, count, lock-out and speed; zero means unlimited.',
  ],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: false }),
    pass_time: duration(['放行时长（0不限）', 'Release time (0 = unlimited)'], {
      required: true,
      default: 300,
      min: 0,
      max: 86_400,
      unit: 's',
    }),
    pass_count: int(['放行次数（0不限）', 'Release count (0 = unlimited)'], { required: true, default: 3, min: 0, max: 100 }),
    lock_time: duration(['超限锁定时长', 'Lock time when exceeded'], { required: true, default: 3600, min: 0, max: 604_800, unit: 's' }),
    refresh_time: duration(['次数刷新周期', 'Count refresh time'], { required: true, default: 86_400, min: 0, max: 604_800, unit: 's' }),
    limit_up: rate(['上行限速（0不限）', 'Upload limit (0 = unlimited)'], { default: 256 }),
    limit_down: rate(['下行限速（0不限）', 'Download limit (0 = unlimited)'], { default: 512 }),
    block_on_lband: bool(['L波段时停用', 'Off while on L-band'], { default: true }),
  },
});
