import { accountTypesOrAny, protocols } from '../../choices.ts';
import { bool, choice, cidr, iface, int, ports, ref, rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { unique } from '../../kit/page-rules.ts';
import { appId } from '../../kit/patterns.ts';

export const qosRule = list('qos_rule', {
  title: ['通道匹配规则', 'Classification rules'],
  summary: [
    '按来源、服务、应用或DSCP将流量归入带宽通道。',
    'Sorts traffic into bandwidth classes by source, service, application or DSCP.',
  ],
  key: 'name',
  maxRows: 256,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    order: int(['序号', 'Order'], { required: true, default: 100, min: 1, max: 1000 }),
    class: ref(['带宽通道', 'Bandwidth class'], 'qos_class', { required: true }),
    interface: iface(['入接口', 'Incoming interface']),
    source_group: ref(['源地址组', 'Source address group'], 'network_ip_group'),
    account_type: choice(['账号类型', 'Account type'], accountTypesOrAny, { default: 'any' }),
    protocol: choice(['协议', 'Protocol'], protocols, { default: 'any' }),
    dst: cidr(['目的网段', 'Destination']),
    dst_port: ports(['目的端口', 'Destination port']),
    dscp_match: int(['匹配DSCP', 'Match DSCP'], { min: 0, max: 63 }),
    applications: rows(
      ['应用协议', 'Application protocols'],
      { max: 200 },
      { app_id: text(['协议编号', 'Protocol ID'], { required: true, max: 10, like: appId }) },
    ),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [unique('order')],
});
