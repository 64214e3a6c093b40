import { choice, clock, text, time, weekdays } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { differs, laterThan } from '../../kit/page-rules.ts';

export const networkTimeGroup = list('network_time_group', {
  title: ['时间组', 'Time groups'],
  summary: [
    '可复用的每周时段；船舶跨时区航行，可按船时或UTC计时。',
    'Reusable weekly windows; the clock can follow ship time or UTC because vessels cross time zones.',
  ],
  key: 'name',
  maxRows: 64,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    weekdays: weekdays(['星期', 'Weekdays'], { required: true, default: [1, 2, 3, 4, 5, 6, 7] }),
    start: clock(['开始时间', 'Start'], { required: true, default: '00:00' }),
    end: clock(['结束时间', 'End'], { required: true, default: '23:59' }),
    clock: choice(
      ['时间基准', 'Clock'],
      { ship: ['船时', 'Ship time'], utc: ['UTC', 'UTC'], beijing: ['北京时间', 'Beijing time'] },
      { required: true, default: 'ship' },
    ),
    valid_from: time(['起始日期', 'Valid from']),
    valid_to: time(['截止日期', 'Valid until']),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [differs('end', 'start'), laterThan('valid_to', 'valid_from')],
});
