import { choice, text, time } from '../kit/field.ts';
import { resource } from '../kit/resource.ts';
import { eventKind } from '../protocol/event.ts';

/** Events reported by a gateway, newest first. */
export const deviceHistory = resource({
  fields: {
    at: time(['时间', 'Time'], { sort: true }),
    kind: choice(['事件', 'Event'], eventKind, { width: 140 }),
    content: text(['内容', 'What happened'], { tooltip: true, width: 460 }),
    reported_at: time(['网关时间', "By the gateway's clock"], { hiddenByDefault: true }),
  },
  title: ['kind', 'at'],
  columns: ['at', 'kind', 'content', 'reported_at'],
  filters: ['kind', 'at'],
  orderby: 'at desc',
});
