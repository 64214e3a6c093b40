import { bool, choice, cidr, ipv4, port, rows, secret, text } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { snmpPassword } from '../../kit/patterns.ts';
import { portsFree } from '../../kit/port-rules.ts';

export const advancedSnmp = form('advanced_snmp', {
  title: ['SNMP', 'SNMP'],
  summary: ['配置SNMP代理和Trap，推荐v3，v2c仅限指定网管主机。', 'SNMP agent and traps; v3 preferred, v2c restricted to named managers.'],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: false }),
    version: choice(['版本', 'Version'], { v2c: ['v2c', 'v2c'], v3: ['v3', 'v3'] }, { required: true, default: 'v3' }),
    port: port(['端口', 'Port'], { default: 161 }),
    community: secret(['只读团体字', 'Read community'], { required: true, max: 32, when: ['version', 'v2c'] }),
    user: text(['用户名', 'User'], { required: true, max: 32, when: ['version', 'v3'] }),
    security_level: choice(
      ['安全级别', 'Security level'],
      { auth_priv: ['认证并加密', 'Authentication and privacy'], auth_no_priv: ['仅认证', 'Authentication only'] },
      { default: 'auth_priv', when: ['version', 'v3'] },
    ),
    auth_algo: choice(
      ['认证算法', 'Authentication algorithm'],
      { sha: ['SHA', 'SHA'], sha256: ['SHA-256', 'SHA-256'] },
      { default: 'sha', when: ['version', 'v3'] },
    ),
    auth_password: secret(['认证密码', 'Authentication password'], {
      required: true,
      max: 32,
      like: snmpPassword,
      when: ['version', 'v3'],
    }),
    priv_password: secret(['加密密码', 'Privacy password'], { max: 32, like: snmpPassword, when: ['security_level', 'auth_priv'] }),
    managers: rows(['允许网管地址', 'Allowed managers'], { max: 8 }, { subnet: cidr(['网段', 'Subnet'], { required: true }) }),
    location: text(['物理位置', 'Location'], { max: 64 }),
    contact: text(['联系人', 'Contact'], { max: 64 }),
    trap: bool(['发送Trap', 'Send traps'], { default: false }),
    trap_host: ipv4(['Trap服务器', 'Trap receiver'], { required: true, when: ['trap', true] }),
    trap_port: port(['Trap端口', 'Trap port'], { default: 162, when: ['trap', true] }),
  },
  rules: [portsFree],
});
