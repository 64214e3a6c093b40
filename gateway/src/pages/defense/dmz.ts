import { bool, cidr, ipv4, ports, ref, rows } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';

export const defenseDmz = form('defense_dmz', {
  title: ['DMZ主机', 'DMZ host'],
  summary: ['将某一WAN口主动进入的全部流量转发到单台主机。', 'Sends all unsolicited inbound traffic of one WAN to a single host.'],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: false }),
    link: ref(['外网链路', 'WAN'], 'network_wan', { required: true }),
    host: ipv4(['DMZ主机', 'DMZ host'], { required: true }),
    allow_src: cidr(['允许来源', 'Allowed source']),
    exclude_ports: rows(
      ['排除端口', 'Excluded ports'],
      { default: [{ ports: '22-23' }, { ports: '80' }, { ports: '443' }], max: 16 },
      { ports: ports(['端口', 'Ports'], { required: true }) },
    ),
  },
});
