import { bool, choice, iface, ipv4, mac, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';

export const defenseArpBind = list('defense_arp_bind', {
  title: ['ARP绑定', 'ARP binding'],
  summary: ['配置IP与MAC绑定；严格绑定时任一项不符即拒绝。', 'IP and MAC pairs; strict pairs are refused when either side differs.'],
  key: 'ip',
  maxRows: 2000,
  fields: {
    ip: ipv4(['IP地址', 'IP address'], { required: true }),
    mac: mac(['MAC地址', 'MAC address'], { required: true }),
    interface: iface(['接口', 'Interface'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    mode: choice(
      ['绑定方式', 'Mode'],
      { normal: ['普通绑定', 'Normal'], strict: ['唯一绑定', 'Strict one-to-one'] },
      { required: true, default: 'normal' },
    ),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
