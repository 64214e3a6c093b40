import { arbiterAlgorithms, arbiterReasons } from '../../choices.ts';
import { choice, int, percent, rate, ref, text, time } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const arbiterStatus = status('arbiter_status', {
  title: ['仲裁结果', 'Current decisions'],
  summary: ['查看各业务流的当前链路、次选链路和选择依据。', 'Current link, second choice and reason for each flow class.'],
  fields: {
    flow_class: ref(['业务流', 'Flow class'], 'arbiter_flow_class'),
    algorithm: choice(['算法', 'Algorithm'], arbiterAlgorithms),
    link: ref(['当前链路', 'Chosen link'], 'network_wan'),
    runner_up: ref(['次选链路', 'Runner-up'], 'network_wan'),
    scores: text(['各链路评分', 'Scores']),
    latency: int(['时延（ms）', 'Latency (ms)']),
    loss: percent(['丢包率', 'Loss']),
    up_rate: rate(['上行速率', 'Upload rate']),
    down_rate: rate(['下行速率', 'Download rate']),
    reason: choice(['选择依据', 'Reason'], arbiterReasons),
    since: time(['起始时间', 'Since']),
  },
});
