import { announcementCalls } from '../advanced/announcement.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, link, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import type { HomeSummary } from './summary.ts';

const source = [
  { id: 'admin', label: ['总平台', 'Admin platform'], color: 'blue' },
  { id: 'vno', label: ['VNO平台', 'VNO platform'], color: 'purple' },
] as const;

export const homeCalls = calls('device', ['home_dashboard'], {
  summary: { kind: 'tree', path: 'home/summary', summary: ['首页概览数据', 'Figures of the dashboard'], shape: shape<HomeSummary>() },
});

export const homeDashboard = page({
  ...headOf('homeDashboard'),
  // Latest announcements.
  resource: resource({
    fields: {
      title: link(['公告标题', 'Notice title'], { tooltip: true }),
      source: choice(['发布方', 'Source'], source),
      create_at: time(['发布时间', 'Published at'], { sort: true }),
    },
    title: ['title'],
    columns: ['title', 'source', 'create_at'],
    filters: [],
    orderby: 'create_at desc',
  }),
  forms: {},
  actions: { noticeDetail: { on: 'row', label: ['查看', 'View'], call: announcementCalls.read } },
});
