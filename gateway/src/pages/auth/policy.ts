import { bool, choice, iface, int, ref, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { unique } from '../../kit/page-rules.ts';

export const authPolicy = list('auth_policy', {
  title: ['认证策略', 'Login policies'],
  summary: [
    '设置各网络所需的认证方式，以及计费平台不可达时的处理。',
    'Login method of each network, and what happens when the billing platform is unreachable.',
  ],
  key: 'name',
  maxRows: 32,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    priority: int(['优先级（小者优先）', 'Priority (lower first)'], { required: true, default: 50, min: 1, max: 100 }),
    interface: iface(['接口', 'Interface'], { required: true }),
    source_group: ref(['源地址组', 'Source address group'], 'network_ip_group'),
    online_type: choice(
      ['接入类型', 'Access type'],
      [
        [0, '不限', 'Unlimited'],
        [1, '无线', 'Wireless'],
        [2, '有线', 'Wired'],
      ],
      { default: 0 },
    ),
    method: choice(
      ['认证方式', 'Method'],
      {
        portal: ['Portal', 'Portal'],
        mac: ['MAC认证', 'MAC'],
        mac_portal: ['MAC优先，失败转Portal', 'MAC, then portal'],
        none: ['免认证', 'None'],
        deny: ['禁止上网', 'Deny'],
      },
      { required: true, default: 'portal' },
    ),
    backend: choice(
      ['认证服务', 'Backend'],
      { platform: ['运营平台', 'Platform'], local: ['本地账号', 'Local users'], radius: ['RADIUS', 'RADIUS'] },
      { required: true, default: 'platform' },
    ),
    radius: ref(['RADIUS服务器', 'RADIUS server'], 'auth_radius', { required: true, when: ['backend', 'radius'] }),
    escape: choice(
      ['认证服务不可达时', 'When the backend is unreachable'],
      {
        cached: ['已登录用户保持在线', 'Keep users already online'],
        local: ['转本地账号', 'Fall back to local users'],
        allow: ['全部放行', 'Let everyone through'],
        deny: ['全部拒绝', 'Refuse everyone'],
      },
      { required: true, default: 'cached' },
    ),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [unique('priority')],
});
