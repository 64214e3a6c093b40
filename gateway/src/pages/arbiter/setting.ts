import { arbiterAlgorithms } from '../../choices.ts';
import { bool, choice, duration, percent, ref } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';

export const arbiterSetting = form('arbiter_setting', {
  title: ['仲裁参数', 'Arbiter settings'],
  summary: [
    '设置仲裁的评估周期和算法；链路锁定、围栏、手动保持和配额优先于仲裁。',
    'Evaluation interval and algorithm of the arbiter; lock, fence, manual hold and quota take precedence.',
  ],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: true }),
    mode: choice(
      ['仲裁粒度', 'Granularity'],
      { per_class: ['按业务流', 'Per flow class'], whole: ['整机单链路', 'Whole gateway on one link'] },
      { required: true, default: 'per_class' },
    ),
    algorithm: choice(['默认算法', 'Default algorithm'], arbiterAlgorithms, { required: true, default: 'priority' }),
    interval: duration(['评估周期', 'Evaluation interval'], { default: 10, min: 1, max: 300, unit: 's' }),
    hysteresis: percent(['改选门限', 'Improvement needed to change'], { default: 20 }),
    min_dwell: duration(['最短保持', 'Minimum dwell'], { default: 60, min: 0, max: 3600, unit: 's' }),
    sticky: bool(['会话保持原链路', 'Keep sessions on their link'], { default: true }),
    saturation: percent(['饱和门限', 'Saturation level'], { default: 90, min: 50 }),
    no_candidate: choice(
      ['无可用链路时', 'When no link qualifies'],
      {
        best_effort: ['使用最好的一条', 'Use the best of the rest'],
        hold: ['保持原链路', 'Stay on the last link'],
        drop: ['丢弃', 'Drop'],
      },
      { required: true, default: 'best_effort' },
    ),
    default_link: ref(['未分类流量走向', 'Link for unclassified traffic'], 'network_wan'),
  },
});
