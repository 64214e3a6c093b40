import { calls } from '../kit/endpoint.ts';
import { bytes, choice, duration, link, option, speed, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { enforcement, terminateCause } from './choices.ts';
import { userCalls } from './user.ts';

const shared = {
  account: text(['上网账号', 'Online account'], {
    sort: true,
    match: 'code',
    tooltip: true,
    mono: true,
    width: 150,
    to: references.account,
  }),
  // The device, or the NAS of another maker.
  device_name: link(['设备名称', 'Device'], { tooltip: true, width: 160, to: references.device }),
  sn: text(['设备SN', 'SN'], { mono: true, hiddenByDefault: true, width: 118 }),
  session_id: text(['会话ID', 'Session ID'], { mono: true, tooltip: true, hiddenByDefault: true, width: 150 }),
  ip: text(['IP地址', 'IP address'], { mono: true, width: 130 }),
  mac: text(['MAC地址', 'MAC address'], { mono: true, width: 150 }),
  duration: duration(['在线时长', 'Duration'], { sort: true, width: 120 }),
  up_bytes: bytes(['上行流量', 'Up'], { sort: true, width: 100 }),
  down_bytes: bytes(['下行流量', 'Down'], { sort: true, width: 100 }),
  overshoot_bytes: bytes(['超用流量', 'Beyond the limit'], {
    hiddenByDefault: true,
    width: 110,
    tips: ['达到上限后NAS仍放行的流量', 'Traffic that the NAS passed on after the limit was reached'],
  }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, width: 150, to: references.vno }),
  device_id: option(['设备', 'Device'], 'device/option'),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};

export const aaaOnline = resource({
  fields: {
    ...shared,
    nas_ip: text(['NAS地址', 'NAS IP'], { mono: true, width: 130 }),
    login_at: time(['上线时间', 'Online since'], { sort: true }),
    up_speed: speed(['上行速率', 'Up speed'], { hiddenByDefault: true }),
    down_speed: speed(['下行速率', 'Down speed'], { hiddenByDefault: true }),
    package_name: text(['套餐名称', 'Package name'], { tooltip: true, hiddenByDefault: true, width: 150, to: references.package }),
    enforcement: choice(['限速限额', 'Limits'], enforcement, {
      width: 130,
      tips: ['NAS是否已按当前套餐执行速率和流量上限', 'Whether the NAS applies the speeds and the quota of the account'],
    }),
    limit_text: text(['执行情况', 'Limits at the NAS'], {
      tooltip: true,
      hiddenByDefault: true,
      width: 210,
      tips: ['NAS确认的速率；未执行时为原因', 'Speeds that the NAS has confirmed, or why it does not apply the new ones'],
    }),
    kick_state: text(['强制下线结果', 'Kick result'], {
      tooltip: true,
      width: 170,
      tips: ['NAS或网关对强制下线的应答', 'Reply of the NAS or gateway to the kick'],
    }),
  },
  title: ['account', 'device_name'],
  columns: [
    'account',
    'device_name',
    'sn',
    'nas_ip',
    'session_id',
    'ip',
    'mac',
    'login_at',
    'duration',
    'up_bytes',
    'down_bytes',
    'up_speed',
    'down_speed',
    'package_name',
    'overshoot_bytes',
    'agent_name',
    'enforcement',
    'limit_text',
    'kick_state',
  ],
  filters: ['account', 'device_id', 'ip', 'mac', 'login_at', 'nas_ip', 'enforcement', 'vno_id'],
  orderby: 'login_at desc',
});

export const aaaLog = resource({
  fields: {
    ...shared,
    nas_ip: text(['NAS地址', 'NAS IP'], { mono: true, hiddenByDefault: true, width: 130 }),
    login_at: time(['上线时间', 'Online at'], { sort: true, months: limits.queryMonths }),
    logout_at: time(['下线时间', 'Offline at'], { sort: true }),
    terminate_cause: choice(['下线原因', 'Terminate cause'], terminateCause, { width: 140 }),
  },
  title: ['account', 'device_name'],
  columns: [
    'account',
    'device_name',
    'sn',
    'nas_ip',
    'session_id',
    'ip',
    'mac',
    'login_at',
    'logout_at',
    'duration',
    'up_bytes',
    'down_bytes',
    'overshoot_bytes',
    'terminate_cause',
    'agent_name',
  ],
  filters: ['account', 'device_id', 'ip', 'mac', 'login_at', 'terminate_cause', 'vno_id'],
  orderby: 'login_at desc',
});

export const aaaUserCalls = calls('user', ['aaa_user_online'], {
  online: { kind: 'list', path: 'aaa_user/online', summary: ['查询AAA在线用户', 'List AAA online users'], resource: aaaOnline },
  ofNas: {
    kind: 'list',
    path: 'nas/{id}/online',
    access: ['nas_manage', 'nas_detail'],
    summary: ['查询NAS的在线用户', 'List the online users of a NAS'],
    resource: aaaOnline,
  },
  log: {
    kind: 'list',
    path: 'aaa_user/log',
    access: ['aaa_user_log'],
    summary: ['查询AAA上网日志', 'List AAA online history'],
    resource: aaaLog,
  },
});

export const aaaUserOnline = page({
  ...headOf('aaaUserOnline'),
  resource: aaaOnline,
  list: aaaUserCalls.online,
  emptyHint: [
    '经RADIUS认证并在线的用户显示在这里。没有数据时，请确认NAS已登记并已开启计费；自行认证的网关，其在线用户见设备详情。',
    'Users who are online by RADIUS appear here. If there are none, check that the NAS is registered and sends accounting. Users of gateways that authenticate by themselves are in the device details.',
  ],
  forms: {},
  actions: {
    kick: {
      on: 'both',
      label: ['强制下线', 'Kick offline'],
      call: userCalls.kick,
      params: { source: 'aaa' },
      danger: true,
      confirm: ['确定将所选用户强制下线吗？', 'Kick the selected users offline?'],
      done: ['已发送，结果将显示在列表中', 'Request sent. The result appears in the list.'],
      when: (row) => row.is_kicking !== true,
      why: ['正在等待NAS应答', 'Waiting for the reply of the NAS'],
    },
  },
});

export const aaaUserLog = page({
  ...headOf('aaaUserLog'),
  resource: aaaLog,
  list: aaaUserCalls.log,
  emptyHint: [
    '经RADIUS认证的上网会话显示在这里。没有数据时，请确认NAS已登记并已开启计费。',
    'Sessions by RADIUS appear here. If there are none, check that the NAS is registered and sends accounting.',
  ],
  forms: {},
  actions: {},
});
