import { results } from '../../choices.ts';
import { bool, choice, ref, text, time } from '../../kit/field.ts';
import { log } from '../../kit/page.ts';

export const fenceLog = log('fence_log', {
  title: ['围栏日志', 'Fence log'],
  summary: ['记录进出围栏事件和策略执行结果，与上报平台的内容一致。', 'Entries, exits and the policy effect, as reported to the platform.'],
  fields: {
    time: time(['时间', 'Time']),
    fence: ref(['围栏', 'Fence'], 'fence_area'),
    event: choice(['事件', 'Event'], {
      enter: ['进入', 'Enter'],
      leave: ['离开', 'Leave'],
      applied: ['策略执行', 'Policy applied'],
      reverted: ['策略恢复', 'Policy reverted'],
      position_lost: ['定位失效', 'Position lost'],
      position_back: ['定位恢复', 'Position restored'],
    }),
    policy: ref(['策略', 'Policy'], 'fence_policy'),
    link_before: ref(['切换前链路', 'Link before'], 'network_wan'),
    link_after: ref(['切换后链路', 'Link after'], 'network_wan'),
    latitude: text(['纬度', 'Latitude']),
    longitude: text(['经度', 'Longitude']),
    result: choice(['结果', 'Result'], results),
    reported: bool(['已上报', 'Reported']),
  },
});
