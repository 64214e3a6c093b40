import { bool, choice, int, percent, rate, ref } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';

export const linkChangeQuota = list('link_change_quota', {
  title: ['链路配额', 'Link quotas'],
  summary: [
    '按链路和周期设置流量上限，以及预警和超额时的动作。',
    'Data allowance per link and cycle, with the action when it is nearly or fully used.',
  ],
  key: 'link',
  maxRows: 8,
  fields: {
    link: ref(['链路', 'Link'], 'network_wan', { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    cycle: choice(
      ['计量周期', 'Cycle'],
      { day: ['每日', 'Daily'], week: ['每周', 'Weekly'], month: ['每月', 'Monthly'] },
      { required: true, default: 'month' },
    ),
    reset_day: int(['结算日', 'Reset day'], { default: 1, min: 1, max: 31, when: ['cycle', 'month'] }),
    quota_mb: int(['流量上限', 'Allowance'], { required: true, default: 10_240, min: 1, max: 100_000_000, unit: 'MB' }),
    direction: choice(
      ['计量方向', 'Counted direction'],
      { both: ['双向', 'Both'], down: ['下行', 'Download'], up: ['上行', 'Upload'] },
      { default: 'both' },
    ),
    warn_percent: percent(['预警比例', 'Warning level'], { default: 80, min: 1 }),
    over_action: choice(
      ['超额动作', 'When exceeded'],
      {
        notify: ['仅通知', 'Notify only'],
        throttle: ['限速', 'Throttle'],
        switch: ['切换到下一链路', 'Switch to next link'],
        business_only: ['仅放行业务网', 'Business network only'],
        disconnect: ['断开', 'Disconnect'],
      },
      { required: true, default: 'notify' },
    ),
    throttle_down: rate(['下行限速', 'Throttled download'], { default: 512, when: ['over_action', 'throttle'] }),
    throttle_up: rate(['上行限速', 'Throttled upload'], { default: 128, when: ['over_action', 'throttle'] }),
  },
});
