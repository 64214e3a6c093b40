import { bool, choice, duration } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';

export const reporterTraffic = form('reporter_traffic', {
  title: ['流量上报', 'Traffic reports'],
  summary: ['设置业务与管理流量统计的粒度和上报间隔。', 'Business and management traffic counters, their granularity and schedule.'],
  fields: {
    business: bool(['业务流量', 'Business traffic'], { default: true }),
    management: bool(['管理流量', 'Management traffic'], { default: true }),
    granularity: choice(
      ['统计粒度', 'Granularity'],
      { '1min': ['1分钟', '1 minute'], '5min': ['5分钟', '5 minutes'], '1h': ['1小时', '1 hour'], '1d': ['1天', '1 day'] },
      { required: true, default: '5min' },
    ),
    by_user: bool(['按账号', 'Per account'], { default: true }),
    by_link: bool(['按链路', 'Per link'], { default: true }),
    by_terminal: bool(['按终端', 'Per terminal'], { default: false }),
    interval: duration(['上报间隔', 'Report interval'], { required: true, default: 15, min: 1, max: 1440, unit: 'min' }),
    lband_interval: duration(['L波段上报间隔', 'Interval on L-band'], { default: 1440, min: 60, max: 10_080, unit: 'min' }),
    mail_report: bool(['定期邮件报表', 'Mail a periodic report'], { default: false }),
    mail_cycle: choice(
      ['邮件周期', 'Mail cycle'],
      { daily: ['每日', 'Daily'], weekly: ['每周', 'Weekly'], monthly: ['每月', 'Monthly'] },
      { default: 'monthly', when: ['mail_report', true] },
    ),
  },
});
