import { bool, choice, cidr, ipv4, ports, ref, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { mappingsApart, outsideManagement, sameSize } from '../../kit/port-rules.ts';
import { insideLans } from '../../kit/subnet-rules.ts';

export const defensePortMapping = list('defense_port_mapping', {
  title: ['端口映射', 'Port mapping'],
  summary: ['将内网服务映射到WAN口，建议限定访问来源。', 'Publishes an inside service on a WAN, limited to named sources where possible.'],
  key: 'name',
  maxRows: 128,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    protocol: choice(
      ['协议', 'Protocol'],
      { tcp: ['TCP', 'TCP'], udp: ['UDP', 'UDP'], tcp_udp: ['TCP+UDP', 'TCP+UDP'] },
      { required: true, default: 'tcp' },
    ),
    link: ref(['外网链路（空为全部）', 'WAN (empty = all)'], 'network_wan'),
    ext_port: ports(['外部端口', 'External port'], { required: true }),
    int_ip: ipv4(['内部地址', 'Internal address'], { required: true }),
    int_port: ports(['内部端口', 'Internal port'], { required: true }),
    allow_src: cidr(['允许来源', 'Allowed source']),
    hairpin: bool(['内网回流', 'NAT reflection'], { default: true }),
    log: bool(['记录日志', 'Log hits'], { default: false }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [mappingsApart, outsideManagement, insideLans('int_ip'), sameSize('int_port', 'ext_port')],
});
