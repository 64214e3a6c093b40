import { bool, duration, int } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';

export const defenseDos = form('defense_dos', {
  title: ['攻击防护', 'DoS protection'],
  summary: ['防护泛洪、扫描和畸形报文攻击，可按源地址设置阈值。', 'Flood, scan and malformed-packet guards with per-source thresholds.'],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: true }),
    syn_pps: int(['SYN泛洪阈值（0关闭）', 'SYN flood threshold (0 = off)'], { default: 500, min: 0, max: 100_000, unit: 'pps' }),
    udp_pps: int(['UDP泛洪阈值（0关闭）', 'UDP flood threshold (0 = off)'], { default: 2000, min: 0, max: 100_000, unit: 'pps' }),
    icmp_pps: int(['ICMP泛洪阈值（0关闭）', 'ICMP flood threshold (0 = off)'], { default: 100, min: 0, max: 100_000, unit: 'pps' }),
    scan_ports: int(['端口扫描阈值（端口/秒）', 'Port-scan threshold (ports per second)'], { default: 30, min: 0, max: 10_000 }),
    conn_per_ip: int(['单机新建连接上限', 'New connections per host'], { default: 200, min: 10, max: 10_000, unit: 'cps' }),
    drop_invalid: bool(['丢弃无效连接包', 'Drop invalid packets'], { default: true }),
    land: bool(['Land攻击防护', 'Block land attack'], { default: true }),
    fragment: bool(['畸形分片防护', 'Block malformed fragments'], { default: true }),
    spoof_guard: bool(['源地址校验', 'Source address check'], { default: true }),
    wan_ping: bool(['允许外网Ping', 'Answer ping from WAN'], { default: false }),
    block_time: duration(['攻击源封禁时长', 'Ban time'], { default: 600, min: 10, max: 86_400, unit: 's' }),
    auto_blacklist: bool(['自动加入黑名单', 'Add to blacklist'], { default: true }),
  },
});
