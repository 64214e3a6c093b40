import { bool, choice, cidr, mac, text, time } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { wildcardDomain } from '../../kit/patterns.ts';

export const defenseBlacklist = list('defense_blacklist', {
  title: ['黑名单', 'Blacklist'],
  summary: [
    '管理被封禁的地址和设备，来源包括手动添加、平台下发和攻击防护。',
    'Banned addresses and devices, added by hand, by the platform or by attack protection.',
  ],
  key: 'name',
  maxRows: 5000,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    type: choice(
      ['类型', 'Type'],
      { ip: ['IP/网段', 'IP or subnet'], mac: ['MAC', 'MAC'], domain: ['域名', 'Domain'] },
      { required: true, default: 'ip' },
    ),
    ip: cidr(['IP/网段', 'IP or subnet'], { required: true, when: ['type', 'ip'] }),
    mac: mac(['MAC地址', 'MAC address'], { required: true, when: ['type', 'mac'] }),
    domain: text(['域名（支持*）', 'Domain (* allowed)'], { required: true, max: 255, like: wildcardDomain, when: ['type', 'domain'] }),
    direction: choice(
      ['方向', 'Direction'],
      { both: ['双向', 'Both'], from_lan: ['内网发起', 'From LAN'], from_wan: ['外网发起', 'From WAN'] },
      { default: 'both' },
    ),
    source: choice(
      ['来源', 'Source'],
      { manual: ['手动', 'Manual'], platform: ['平台下发', 'Platform'], auto: ['自动封禁', 'Automatic ban'] },
      { default: 'manual', reported: true },
    ),
    expire_at: time(['失效时间', 'Expires at']),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
