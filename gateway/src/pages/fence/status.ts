import { fenceCategories } from '../../choices.ts';
import { choice, ref, text, time } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const fenceStatus = status('fence_status', {
  title: ['围栏状态', 'Fence status'],
  summary: ['查看船舶相对各围栏的位置及当前生效策略。', 'Position of the vessel relative to each fence, and the policy in force.'],
  fields: {
    fence: ref(['围栏', 'Fence'], 'fence_area'),
    category: choice(['类别', 'Category'], fenceCategories),
    state: choice(['状态', 'State'], {
      inside: ['区内', 'Inside'],
      outside: ['区外', 'Outside'],
      entering: ['进入确认中', 'Entering'],
      leaving: ['离开确认中', 'Leaving'],
      unknown: ['未知', 'Unknown'],
    }),
    distance_nm: text(['距边界（海里）', 'Distance to edge (nm)']),
    policy: ref(['生效策略', 'Policy in force'], 'fence_policy'),
    since: time(['起始时间', 'Since']),
    latitude: text(['纬度', 'Latitude']),
    longitude: text(['经度', 'Longitude']),
    position_at: time(['定位时间', 'Position time']),
  },
});
