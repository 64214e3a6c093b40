import { choice, text, time } from '../kit/field.ts';
import { resource } from '../kit/resource.ts';
import { serviceEventKind } from './choices.ts';

/** What metering did to the service of an account, and why. */
export const serviceHistory = resource({
  fields: {
    at: time(['时间', 'Time'], { sort: true }),
    kind: choice(['事件', 'Event'], serviceEventKind, { width: 140 }),
    package_name: text(['套餐名称', 'Package name'], { tooltip: true, width: 180 }),
    content: text(['说明', 'Details'], { tooltip: true, width: 320 }),
    create_at: time(['记录时间', 'Recorded at'], { hiddenByDefault: true }),
  },
  title: ['kind', 'at'],
  columns: ['at', 'kind', 'package_name', 'content', 'create_at'],
  filters: [],
  orderby: 'at desc',
});
