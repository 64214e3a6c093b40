import { appCategories, limitModes } from '../../choices.ts';
import { bool, choice, int, rate, ref, rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { unique } from '../../kit/page-rules.ts';
import { appId } from '../../kit/patterns.ts';

export const qosAppLimit = list('qos_app_limit', {
  title: ['应用限速', 'Application limits'],
  summary: [
    '按应用组限制速率，可仅对某条链路生效，如VSAT上禁止视频。',
    'Rate ceilings per application group; can apply on one link only, such as no video on VSAT.',
  ],
  key: 'name',
  maxRows: 128,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    order: int(['序号', 'Order'], { required: true, default: 100, min: 1, max: 1000 }),
    category: choice(['应用分类', 'Category'], appCategories, { required: true, default: 'video' }),
    applications: rows(
      ['应用协议', 'Application protocols'],
      { max: 200 },
      { app_id: text(['协议编号', 'Protocol ID'], { required: true, max: 10, like: appId }) },
    ),
    link: ref(['适用链路（空为全部）', 'Link (empty = all)'], 'network_wan'),
    source_group: ref(['源地址组', 'Source address group'], 'network_ip_group'),
    mode: choice(['限速方式', 'Mode'], limitModes, { required: true, default: 'shared' }),
    down: rate(['下行上限', 'Download limit'], { required: true, default: 512 }),
    up: rate(['上行上限', 'Upload limit'], { required: true, default: 128 }),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [unique('order')],
});
