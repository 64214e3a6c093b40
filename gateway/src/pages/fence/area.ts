import { fenceCategories } from '../../choices.ts';
import { bool, choice, duration, int, polygon, ref, text, time } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { laterThan, unique } from '../../kit/page-rules.ts';
import { simpleRing } from '../../kit/polygon-rule.ts';

export const fenceArea = list('fence_area', {
  title: ['围栏区域', 'Fence areas'],
  summary: [
    '在海图上划定多边形围栏，设置进入和离开时执行的策略，并防止边界抖动。',
    'Polygons on the chart with the policy to apply on entering and on leaving, guarded against flapping.',
  ],
  key: 'name',
  maxRows: 64,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    category: choice(['类别', 'Category'], fenceCategories, { required: true, default: 'custom' }),
    priority: int(['优先级（小者优先）', 'Priority (lower first)'], { required: true, default: 50, min: 1, max: 100 }),
    polygon: polygon(['围栏多边形', 'Polygon'], { required: true, min: 3, max: 200 }),
    on_enter: ref(['进入时执行', 'On entering'], 'fence_policy'),
    on_leave: ref(['离开时执行', 'On leaving'], 'fence_policy'),
    enter_dwell: duration(['进入确认时间', 'Dwell before entering'], { default: 60, min: 0, max: 3600, unit: 's' }),
    leave_dwell: duration(['离开确认时间', 'Dwell before leaving'], { default: 300, min: 0, max: 3600, unit: 's' }),
    buffer_m: int(['边界缓冲', 'Boundary buffer'], { default: 500, min: 0, max: 20_000, unit: 'm' }),
    valid_from: time(['生效起始', 'Valid from']),
    valid_to: time(['生效截止', 'Valid until']),
    source: choice(
      ['来源', 'Source'],
      { local: ['本地', 'Local'], platform: ['平台下发', 'Platform'] },
      { default: 'local', reported: true },
    ),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [unique('priority'), simpleRing('polygon'), laterThan('valid_to', 'valid_from')],
});
