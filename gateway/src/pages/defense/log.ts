import { protocols } from '../../choices.ts';
import { choice, iface, int, ipv4, mac, port, ref, time } from '../../kit/field.ts';
import { log } from '../../kit/page.ts';

export const defenseLog = log('defense_log', {
  title: ['安全日志', 'Security log'],
  summary: ['查看攻击、封禁和规则命中记录。', 'Attacks, bans and rule hits.'],
  fields: {
    time: time(['时间', 'Time']),
    type: choice(['类型', 'Type'], {
      rule: ['规则命中', 'Rule hit'],
      flood: ['泛洪攻击', 'Flood'],
      scan: ['端口扫描', 'Port scan'],
      arp: ['ARP攻击', 'ARP attack'],
      conflict: ['地址冲突', 'Address conflict'],
      rogue_dhcp: ['私设DHCP', 'Rogue DHCP'],
      login: ['登录攻击', 'Login attack'],
    }),
    interface: iface(['接口', 'Interface']),
    src_ip: ipv4(['源地址', 'Source']),
    src_mac: mac(['源MAC', 'Source MAC']),
    dst_ip: ipv4(['目的地址', 'Destination']),
    dst_port: port(['目的端口', 'Destination port']),
    protocol: choice(['协议', 'Protocol'], protocols),
    count: int(['次数', 'Count']),
    rule: ref(['规则', 'Rule'], 'defense_firewall_rule'),
    action: choice(['动作', 'Action'], {
      log: ['记录', 'Logged'],
      drop: ['丢弃', 'Dropped'],
      ban: ['封禁', 'Banned'],
      isolate: ['隔离', 'Isolated'],
    }),
  },
});
