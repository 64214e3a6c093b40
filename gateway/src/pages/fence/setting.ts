import { bool, choice, duration, ref } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';

export const fenceSetting = form('fence_setting', {
  title: ['围栏参数', 'Fence settings'],
  summary: [
    '设置判定周期、重叠处理规则及定位失效时的安全策略。',
    'Evaluation cycle, overlap rule and the fail-safe when the position is stale.',
  ],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: true }),
    check_interval: duration(['判定周期', 'Evaluation interval'], { required: true, default: 30, min: 5, max: 600, unit: 's' }),
    overlap: choice(
      ['重叠时', 'When fences overlap'],
      { priority: ['按优先级', 'By priority'], smallest: ['按面积最小', 'Smallest area'], strictest: ['限制最严', 'Strictest'] },
      { required: true, default: 'priority' },
    ),
    on_position_lost: choice(
      ['定位失效时', 'When the position is lost'],
      {
        hold: ['保持当前策略', 'Hold current policy'],
        policy: ['执行指定策略', 'Apply a policy'],
        mute: ['静默VSAT发射', 'Mute VSAT transmit'],
      },
      { required: true, default: 'hold' },
    ),
    lost_after: duration(['失效判定时间', 'Treat as lost after'], { default: 300, min: 30, max: 7200, unit: 's' }),
    lost_policy: ref(['失效策略', 'Policy when lost'], 'fence_policy', { required: true, when: ['on_position_lost', 'policy'] }),
    platform_sync: bool(['接收平台围栏', 'Accept fences from the platform'], { default: true }),
    report: bool(['进出事件上报平台', 'Report events to the platform'], { default: true }),
  },
});
