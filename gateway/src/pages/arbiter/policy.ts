import { arbiterAlgorithms } from '../../choices.ts';
import { bool, choice, int, percent, rate, ref, rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { uniqueIn } from '../../kit/page-rules.ts';

export const arbiterPolicy = list('arbiter_policy', {
  title: ['仲裁策略', 'Arbiter policies'],
  summary: [
    '设置各业务流的候选链路、使用顺序或分担比例，以及质量要求。',
    'Candidate links of each flow class, their order or share, and the required quality.',
  ],
  key: 'flow_class',
  maxRows: 64,
  fields: {
    flow_class: ref(['业务流', 'Flow class'], 'arbiter_flow_class', { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    algorithm: choice(['算法', 'Algorithm'], arbiterAlgorithms, { required: true, default: 'priority' }),
    links: rows(
      ['候选链路', 'Candidate links'],
      { required: true, min: 1, max: 8 },
      {
        link: ref(['链路', 'Link'], 'network_wan', { required: true }),
        order: int(['顺序', 'Order'], { required: true, default: 1, min: 1, max: 8 }),
        weight: int(['权重', 'Weight'], { default: 1, min: 1, max: 1000 }),
      },
    ),
    max_latency: int(['时延要求（0不限）', 'Latency ceiling (0 = none)'], { default: 0, min: 0, max: 10_000, unit: 'ms' }),
    max_loss: percent(['丢包要求', 'Loss ceiling'], { default: 100 }),
    min_down: rate(['最低下行带宽', 'Minimum download'], { default: 0 }),
    fallback: choice(
      ['候选均不可用时', 'When no candidate qualifies'],
      { next_best: ['取最接近者', 'Closest match'], any: ['任意可用链路', 'Any healthy link'], block: ['阻断', 'Block'] },
      { required: true, default: 'next_best' },
    ),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [uniqueIn('links', 'link'), uniqueIn('links', 'order')],
});
