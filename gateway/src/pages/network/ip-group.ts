import { rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { addressEntry } from '../../kit/patterns.ts';

export const networkIpGroup = list('network_ip_group', {
  title: ['IP地址组', 'Address groups'],
  summary: [
    '可复用的地址、网段和地址范围集合，供路由、限速、过滤和防火墙规则引用。',
    'Reusable sets of addresses, subnets and ranges for routes, limits, filters and firewall rules.',
  ],
  key: 'name',
  maxRows: 128,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    addresses: rows(
      ['地址', 'Addresses'],
      { required: true, min: 1, max: 500 },
      { address: text(['地址/网段/范围', 'Address, subnet or range'], { required: true, max: 31, like: addressEntry }) },
    ),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
