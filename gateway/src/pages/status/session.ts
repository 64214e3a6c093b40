import { protocols } from '../../choices.ts';
import { choice, int, ipv4, port, ref, span, text } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const statusSession = status('status_session', {
  title: ['会话列表', 'Sessions'],
  summary: [
    '查看连接跟踪表，包括转换后地址、应用和出口链路。',
    'Connection-tracking table with translated addresses, application and outgoing link.',
  ],
  fields: {
    protocol: choice(['协议', 'Protocol'], protocols),
    src_ip: ipv4(['源地址', 'Source']),
    src_port: port(['源端口', 'Source port']),
    dst_ip: ipv4(['目的地址', 'Destination']),
    dst_port: port(['目的端口', 'Destination port']),
    nat_ip: ipv4(['转换后地址', 'Translated address']),
    app: text(['应用', 'Application']),
    flow_class: ref(['业务流', 'Flow class'], 'arbiter_flow_class'),
    link: ref(['出口链路', 'Outgoing link'], 'network_wan'),
    state: text(['状态', 'State']),
    up_bytes: int(['上行（B）', 'Up (B)']),
    down_bytes: int(['下行（B）', 'Down (B)']),
    timeout: span(['剩余超时', 'Timeout left']),
  },
});
