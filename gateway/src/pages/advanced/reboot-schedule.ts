import { bool, choice, clock, int, text, time, weekdays } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { requiredIf } from '../../kit/page-rules.ts';

export const advancedRebootSchedule = list('advanced_reboot_schedule', {
  title: ['定时重启', 'Reboot schedule'],
  summary: [
    '定时重启网关、调制解调器、天线ACU或AP等，有用户在线或使用L波段时予以保护。',
    'Planned restarts of gateway, modem, antenna controller or APs, guarded for online users and L-band.',
  ],
  key: 'name',
  maxRows: 16,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    target: choice(
      ['对象', 'Target'],
      {
        gateway: ['网关', 'Gateway'],
        modem: ['调制解调器', 'Modem'],
        acu: ['天线ACU', 'Antenna ACU'],
        lband: ['L波段终端', 'L-band terminal'],
        leo: ['低轨终端', 'LEO terminal'],
        ap: ['全部AP', 'All APs'],
      },
      { required: true, default: 'gateway' },
    ),
    cycle: choice(
      ['周期', 'Cycle'],
      { once: ['单次', 'Once'], daily: ['每日', 'Daily'], weekly: ['每周', 'Weekly'], monthly: ['每月', 'Monthly'] },
      { required: true, default: 'weekly' },
    ),
    run_at: time(['执行时间', 'Run at'], { required: true, future: true, when: ['cycle', 'once'] }),
    weekdays: weekdays(['星期', 'Weekdays'], { required: true, default: [7], when: ['cycle', 'weekly'] }),
    day: int(['日期', 'Day of month'], { required: true, default: 1, min: 1, max: 31, when: ['cycle', 'monthly'] }),
    time: clock(['执行时刻', 'Time of day'], { default: '04:00' }),
    clock: choice(['时间基准', 'Clock'], { ship: ['船时', 'Ship time'], utc: ['UTC', 'UTC'] }, { default: 'ship' }),
    skip_if_busy: bool(['有用户在线则顺延', 'Postpone while users are online'], { default: false }),
    skip_if_lband: bool(['L波段时跳过', 'Skip while on L-band'], { default: true }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [requiredIf('time', (plan) => plan.cycle !== 'once')],
});
