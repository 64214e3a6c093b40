import { bool, choice, int, percent, rate, ref } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';

export const qosGlobal = form('qos_global', {
  title: ['流控设置', 'QoS settings'],
  summary: [
    '设置队列算法、整形余量、公平分配和远程管理保障带宽。',
    'Shaper algorithm, headroom, fairness and the slice reserved for remote management.',
  ],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: true }),
    algorithm: choice(
      ['队列算法', 'Queue algorithm'],
      { cake: ['CAKE', 'CAKE'], htb_fq_codel: ['HTB+FQ-CoDel', 'HTB with FQ-CoDel'], htb: ['HTB', 'HTB'] },
      { required: true, default: 'cake' },
    ),
    shape_percent: percent(['整形比例', 'Shape to share of bandwidth'], { default: 95, min: 50 }),
    host_fairness: bool(['终端间公平分配', 'Fairness between hosts'], { default: true }),
    ack_filter: bool(['上行ACK压缩', 'Thin ACKs on the uplink'], { default: true }),
    trust_dscp: bool(['信任内网DSCP', 'Trust DSCP from the LAN'], { default: false }),
    overhead: int(['链路层开销', 'Link-layer overhead'], { default: 18, min: 0, max: 64, unit: 'B' }),
    default_class: ref(['默认通道', 'Default class'], 'qos_class'),
    mgmt_reserve: rate(['管理通道保障', 'Reserved for management'], { default: 64 }),
    adapt: bool(['随调制编码自适应带宽', "Follow the modem's coding and modulation"], { default: true }),
  },
});
