import { arbiterReasons } from '../../choices.ts';
import { choice, int, percent, ref, text, time } from '../../kit/field.ts';
import { log } from '../../kit/page.ts';

export const arbiterDecisionLog = log('arbiter_decision_log', {
  title: ['决策日志', 'Decision log'],
  summary: ['查看历史仲裁决策及其依据的测量数据。', 'History of arbiter decisions with the measurements that led to them.'],
  fields: {
    time: time(['时间', 'Time']),
    flow_class: ref(['业务流', 'Flow class'], 'arbiter_flow_class'),
    from_link: ref(['原链路', 'From link'], 'network_wan'),
    to_link: ref(['新链路', 'To link'], 'network_wan'),
    reason: choice(['原因', 'Reason'], arbiterReasons),
    scores: text(['各链路评分', 'Scores']),
    latency: int(['时延（ms）', 'Latency (ms)']),
    loss: percent(['丢包率', 'Loss']),
    sessions: int(['影响会话数', 'Sessions moved']),
    latitude: text(['纬度', 'Latitude']),
    longitude: text(['经度', 'Longitude']),
  },
});
