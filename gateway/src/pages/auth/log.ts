import { choice, int, ipv4, mac, ref, span, text, time } from '../../kit/field.ts';
import { log } from '../../kit/page.ts';

export const authLog = log('auth_log', {
  title: ['认证日志', 'Login log'],
  summary: ['记录登录、下线、拒绝和踢除事件及原因。', 'Login, logout, refusal and kick events with the reason.'],
  fields: {
    time: time(['时间', 'Time']),
    account: text(['上网账号', 'Account']),
    ip: ipv4(['IP地址', 'IP address']),
    mac: mac(['MAC地址', 'MAC address']),
    method: choice(['认证方式', 'Method'], {
      portal: ['Portal', 'Portal'],
      mac: ['MAC认证', 'MAC'],
      dot1x: ['802.1X', '802.1X'],
      temp: ['临时放行', 'Temporary release'],
    }),
    event: choice(['事件', 'Event'], {
      login: ['上线', 'Login'],
      logout: ['下线', 'Logout'],
      idle: ['空闲下线', 'Idle logout'],
      kick: ['强制下线', 'Kicked'],
      reject: ['拒绝', 'Rejected'],
      exhausted: ['额度用尽', 'Quota exhausted'],
    }),
    reason: text(['原因', 'Reason']),
    ap: ref(['接入AP', 'Access point'], 'ac_ap_list'),
    duration: span(['在线时长', 'Time online']),
    up_bytes: int(['上行（B）', 'Up (B)']),
    down_bytes: int(['下行（B）', 'Down (B)']),
  },
});
