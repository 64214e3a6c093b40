import { bool, int, rate, ref } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const qosStatus = status('qos_status', {
  title: ['流控状态', 'QoS status'],
  summary: ['实时查看各链路上各带宽通道的速率、借用和丢弃情况。', 'Live rates, borrowing and drops for each class on each link.'],
  fields: {
    link: ref(['链路', 'Link'], 'network_wan'),
    class: ref(['带宽通道', 'Class'], 'qos_class'),
    down_rate: rate(['下行速率', 'Download rate']),
    up_rate: rate(['上行速率', 'Upload rate']),
    down_guarantee: rate(['下行保障', 'Download guarantee']),
    up_guarantee: rate(['上行保障', 'Upload guarantee']),
    borrowing: bool(['借用中', 'Borrowing']),
    queue_ms: int(['排队时延（ms）', 'Queue delay (ms)']),
    dropped: int(['丢弃包', 'Dropped packets']),
    sessions: int(['连接数', 'Sessions']),
  },
});
