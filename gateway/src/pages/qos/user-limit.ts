import { accountTypes, limitModes } from '../../choices.ts';
import { bool, choice, iface, int, mac, rate, ref, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { unique } from '../../kit/page-rules.ts';

export const qosUserLimit = list('qos_user_limit', {
  title: ['用户限速', 'User limits'],
  summary: [
    '按单个终端、地址组或账号类型限制速率和连接数，可独立或共享。',
    'Rate and session ceilings for one host, a group or an account type, each or shared.',
  ],
  key: 'name',
  maxRows: 512,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    order: int(['序号', 'Order'], { required: true, default: 100, min: 1, max: 1000 }),
    target: choice(
      ['限速对象', 'Applies to'],
      {
        group: ['地址组', 'Address group'],
        mac: ['指定MAC', 'One MAC'],
        account_type: ['账号类型', 'Account type'],
        interface: ['接口全部终端', 'All hosts of an interface'],
      },
      { required: true, default: 'group' },
    ),
    ip_group: ref(['地址组', 'Address group'], 'network_ip_group', { required: true, when: ['target', 'group'] }),
    mac: mac(['MAC地址', 'MAC address'], { required: true, when: ['target', 'mac'] }),
    account_type: choice(['账号类型', 'Account type'], accountTypes, { required: true, when: ['target', 'account_type'] }),
    interface: iface(['接口', 'Interface'], { required: true, when: ['target', 'interface'] }),
    link: ref(['适用链路（空为全部）', 'Link (empty = all)'], 'network_wan'),
    mode: choice(['限速方式', 'Mode'], limitModes, { required: true, default: 'individual' }),
    down: rate(['下行上限（0不限）', 'Download limit (0 = none)'], { required: true, default: 1024 }),
    up: rate(['上行上限（0不限）', 'Upload limit (0 = none)'], { required: true, default: 256 }),
    max_sessions: int(['最大连接数（0不限）', 'Session limit (0 = none)'], { default: 500, min: 0, max: 65_535 }),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [unique('order')],
});
