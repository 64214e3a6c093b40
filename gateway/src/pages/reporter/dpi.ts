import { dpiStates } from '../../choices.ts';
import { bool, choice, duration, int, text, time } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { laterThan } from '../../kit/page-rules.ts';
import { serialNumber } from '../../kit/patterns.ts';

export const reporterDpi = list('reporter_dpi', {
  title: ['DPI上报任务', 'DPI report tasks'],
  summary: [
    '管理持续或单次DPI上报任务，上报前先预估大小。',
    'Continuous or single DPI extracts, with a size estimate before anything is sent.',
  ],
  key: 'task_id',
  maxRows: 128,
  fields: {
    task_id: text(['任务编号', 'Task ID'], { required: true, max: 32, like: serialNumber }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    data_type: choice(
      ['数据类型', 'Data'],
      { business: ['业务DPI', 'Business DPI'], management: ['管理DPI', 'Management DPI'] },
      { required: true, default: 'business' },
    ),
    mode: choice(
      ['上报模式', 'Mode'],
      { single: ['单次', 'Single'], continuous: ['持续', 'Continuous'] },
      { required: true, default: 'single' },
    ),
    from_time: time(['数据起始', 'Data from'], { required: true, when: ['mode', 'single'] }),
    to_time: time(['数据截止', 'Data to'], { required: true, when: ['mode', 'single'] }),
    interval: duration(['上报间隔', 'Interval'], { default: 60, min: 5, max: 1440, unit: 'min', when: ['mode', 'continuous'] }),
    method: choice(
      ['执行方式', 'Method'],
      { immediate: ['立即', 'Immediate'], appointment: ['预约', 'Scheduled'] },
      { required: true, default: 'immediate' },
    ),
    start_at: time(['预约时间', 'Start at'], { required: true, when: ['method', 'appointment'] }),
    estimate_first: bool(['先预估大小', 'Estimate size first'], { default: true }),
    max_mb: int(['上报上限（0不限）', 'Size cap (0 = unlimited)'], { default: 100, min: 0, max: 100_000, unit: 'MB' }),
    source: choice(
      ['来源', 'Source'],
      { platform: ['平台下发', 'Platform'], local: ['本地', 'Local'] },
      { default: 'platform', reported: true },
    ),
    status: choice(['状态', 'Status'], dpiStates, { default: 0, reported: true }),
  },
  rules: [laterThan('to_time', 'from_time')],
});
