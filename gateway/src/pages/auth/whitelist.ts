import { bool, choice, cidr, mac, ports, ref, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { wildcardDomain } from '../../kit/patterns.ts';

export const authWhitelist = list('auth_whitelist', {
  title: ['免认证名单', 'Login exemptions'],
  summary: ['设置免认证的来源，以及认证前即可访问的目的地址。', 'Sources that skip login and destinations reachable before login.'],
  key: 'name',
  maxRows: 512,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    type: choice(
      ['类型', 'Type'],
      {
        src_ip: ['源IP', 'Source IP'],
        src_mac: ['源MAC', 'Source MAC'],
        dst_ip: ['目的IP', 'Destination IP'],
        domain: ['放行域名', 'Allowed domain'],
      },
      { required: true, default: 'domain' },
    ),
    src_ip: cidr(['源地址/掩码', 'Source address'], { required: true, when: ['type', 'src_ip'] }),
    src_mac: mac(['源MAC', 'Source MAC'], { required: true, when: ['type', 'src_mac'] }),
    dst_ip: cidr(['目的地址/掩码', 'Destination address'], { required: true, when: ['type', 'dst_ip'] }),
    dst_port: ports(['目的端口', 'Destination port'], { when: ['type', 'dst_ip'] }),
    domain: text(['域名（支持*）', 'Domain (* allowed)'], { required: true, max: 255, like: wildcardDomain, when: ['type', 'domain'] }),
    lband_valid: bool(['L波段时仍有效', 'Valid on L-band too'], { default: false }),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
