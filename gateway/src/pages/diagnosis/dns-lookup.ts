import { choice, domain, iface, ipv4 } from '../../kit/field.ts';
import { action } from '../../kit/page.ts';

export const diagnosisDnsLookup = action('diagnosis_dns_lookup', {
  title: ['DNS查询', 'DNS lookup'],
  summary: ['通过网关、指定服务器或指定链路解析域名。', 'Resolves a name through the gateway, a chosen server or a chosen link.'],
  fields: {
    domain: domain(['域名', 'Domain'], { required: true }),
    record: choice(
      ['记录类型', 'Record type'],
      { A: ['A', 'A'], AAAA: ['AAAA', 'AAAA'], CNAME: ['CNAME', 'CNAME'], MX: ['MX', 'MX'], TXT: ['TXT', 'TXT'], NS: ['NS', 'NS'] },
      { default: 'A' },
    ),
    server: ipv4(['DNS服务器（空为本机）', 'Server (empty = this gateway)']),
    interface: iface(['源接口', 'Source interface']),
  },
});
