import { pppMethods } from '../../choices.ts';
import { bool, choice, duration, int, ipv4, port, secret, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { hostName } from '../../kit/patterns.ts';
import { portsFree } from '../../kit/port-rules.ts';

export const authRadius = list('auth_radius', {
  title: ['RADIUS服务器', 'RADIUS servers'],
  summary: [
    '配置认证和计费服务器，超时等参数适应卫星往返时延。',
    'Authentication and accounting servers with timers wide enough for satellite round trips.',
  ],
  key: 'name',
  maxRows: 8,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    server: text(['主服务器', 'Primary server'], { required: true, max: 255, like: hostName }),
    backup_server: text(['备用服务器', 'Backup server'], { max: 255, like: hostName }),
    auth_port: port(['认证端口', 'Authentication port'], { required: true, default: 1812 }),
    acct_port: port(['计费端口', 'Accounting port'], { required: true, default: 1813 }),
    shared_secret: secret(['共享密钥', 'Shared secret'], { required: true, max: 64 }),
    protocol: choice(['认证协议', 'Protocol'], pppMethods, { default: 'chap' }),
    nas_id: text(['NAS标识', 'NAS identifier'], { max: 64 }),
    nas_ip: ipv4(['NAS地址', 'NAS address']),
    timeout: duration(['超时', 'Timeout'], { default: 8, min: 1, max: 60, unit: 's' }),
    retries: int(['重试次数', 'Retries'], { default: 3, min: 1, max: 10 }),
    interim: duration(['计费更新间隔', 'Interim update'], { default: 600, min: 60, max: 86_400, unit: 's' }),
    coa: bool(['接受动态授权（CoA）', 'Accept CoA'], { default: true }),
    coa_port: port(['CoA端口', 'CoA port'], { default: 3799, when: ['coa', true] }),
  },
  rules: [portsFree],
});
