import { appCategories } from '../../choices.ts';
import { choice, int, percent, rate, ref, text } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const statusAppTraffic = status('status_app_traffic', {
  title: ['应用流量', 'Application traffic'],
  summary: [
    '按应用和链路展示DPI流量构成，便于掌握卫星带宽的占用情况。',
    'Traffic by application and link (DPI), to see what uses the satellite bandwidth.',
  ],
  fields: {
    app: text(['应用', 'Application']),
    category: choice(['分类', 'Category'], appCategories),
    link: ref(['链路', 'Link'], 'network_wan'),
    up_rate: rate(['上行速率', 'Upload rate']),
    down_rate: rate(['下行速率', 'Download rate']),
    today_up: int(['今日上行（MB）', 'Uploaded today (MB)']),
    today_down: int(['今日下行（MB）', 'Downloaded today (MB)']),
    share: percent(['占比', 'Share']),
    users: int(['使用人数', 'Users']),
    sessions: int(['连接数', 'Sessions']),
  },
});
