import { accountTypesOrAny, protocols } from '../../choices.ts';
import { bool, choice, cidr, iface, int, ports, ref, rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { unique } from '../../kit/page-rules.ts';
import { appId } from '../../kit/patterns.ts';

export const arbiterFlowClass = list('arbiter_flow_class', {
  title: ['业务流定义', 'Flow classes'],
  summary: [
    '定义驾驶台、业务、语音、船员上网等业务流，供仲裁策略和L波段放行名单引用。',
    'Traffic classes (bridge, business, voice, crew web) used by policies and the L-band whitelist.',
  ],
  key: 'name',
  maxRows: 64,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    order: int(['匹配序号', 'Match order'], { required: true, default: 100, min: 1, max: 1000 }),
    sensitivity: choice(
      ['业务特性', 'Nature'],
      {
        emergency: ['应急安全', 'Emergency and safety'],
        realtime: ['实时语音视频', 'Real time'],
        interactive: ['交互', 'Interactive'],
        bulk: ['大流量', 'Bulk'],
        background: ['后台', 'Background'],
      },
      { required: true, default: 'interactive' },
    ),
    interface: iface(['入接口', 'Incoming interface']),
    source_group: ref(['源地址组', 'Source address group'], 'network_ip_group'),
    account_type: choice(['账号类型', 'Account type'], accountTypesOrAny, { default: 'any' }),
    protocol: choice(['协议', 'Protocol'], protocols, { default: 'any' }),
    dst: cidr(['目的网段', 'Destination']),
    dst_port: ports(['目的端口', 'Destination port']),
    dscp: int(['DSCP', 'DSCP'], { min: 0, max: 63 }),
    applications: rows(
      ['应用协议', 'Application protocols'],
      { max: 200 },
      { app_id: text(['协议编号', 'Protocol ID'], { required: true, max: 10, like: appId }) },
    ),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [unique('order')],
});
