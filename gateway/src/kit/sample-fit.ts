import { rowsOf } from './document.ts';
import type { DocOf } from './problem.ts';

/** Adjustments that make sample rows consistent across fields, by page; `n` is the row number. */
type Row = Readonly<Record<string, unknown>>;
type Fit = (row: Row, n: number, docOf: DocOf) => Row;

const ordered: Fit = (_row, n) => ({ order: n + 1 });
const ranked: Fit = (_row, n) => ({ priority: n + 1 });
/** A LAN and an address in its subnet. */
const inLan = (n: number, docOf: DocOf) => {
  const lans = rowsOf(docOf('network_lan')).filter(({ ipaddr }) => String(ipaddr).endsWith('/16'));
  const lan = lans[n % Math.max(lans.length, 1)];
  const [one, two] = String(lan?.ipaddr ?? '').split('.');
  return { interface: lan?.name, host: (m: number) => `${one}.${two}.${1 + (Math.floor(m / 200) % 250)}.${1 + (m % 200)}` };
};
const lines = (row: Row, name: string, change: (i: number) => Row): readonly Row[] => {
  const list = row[name];
  return Array.isArray(list) ? list.map((line, i) => ({ ...line, ...change(i) })) : [];
};
const links = (docOf: DocOf) => rowsOf(docOf('network_wan')).map(({ name }) => name);
/** A LAN port that no existing WAN or LAN uses. */
const freeLanPort = (n: number, docOf: DocOf) => {
  const existing = rowsOf(docOf('network_lan'));
  const used = JSON.stringify([existing, docOf('network_wan')]);
  return ['sfp0', 'eth5', 'eth4', 'eth3', 'eth2', 'eth1', 'eth0'].filter((port) => !used.includes(`"${port}"`))[n - existing.length];
};
const day = 86_400;

const fits: Readonly<Record<string, Fit>> = {
  network_wan: (row, n) => ({
    name: `wan${n}`,
    // All other ports are left to LANs.
    port: 'wwan0',
    vlan_enabled: true,
    vlan_id: 100 + n,
    ...(row.proto === 'static' && { ipaddr: `172.16.${n}.2/24`, gateway: `172.16.${n}.1` }),
  }),
  network_lan: (row, n, docOf) => ({
    name: `lan${n}`,
    ports: [{ port: freeLanPort(n, docOf) }],
    ipaddr: `10.${n}.0.1/16`,
    secondary: lines(row, 'secondary', (i) => ({ ipaddr: `10.${20 + n}.${i}.1/24` })),
  }),
  network_vlan: (_row, n) => ({ name: `vlan${n}`, vlan_id: 100 + n, ipaddr: `10.${100 + n}.0.1/24` }),
  network_dhcp_server: (row, n, docOf) => {
    const { interface: lan, host } = inLan(n, docOf);
    return { interface: lan, ...(row.mode === 'server' && { start: host(200 * n + 10), end: host(200 * n + 150), gateway: host(0) }) };
  },
  network_dhcp_static: (_row, n, docOf) => {
    const { interface: lan, host } = inLan(n, docOf);
    return { interface: lan, ip: host(n + 400) };
  },
  network_policy_route: ordered,
  network_time_group: (_row, n) => ({ start: '22:00', end: '06:00', valid_from: 1_800_000_000, valid_to: 1_800_000_000 + (n + 1) * day }),
  satellite_route_modem: (_row, n) => ({ sat_network: n === 0 ? 'global' : 'second', mgmt_ip: `192.168.0.${n + 1}` }),
  satellite_route_antenna: (_row, n) => ({ acu_ip: `192.168.2.${n + 1}` }),
  satellite_route_lband: () => ({ mgmt_ip: '192.168.1.1' }),
  satellite_route_leo: () => ({ dish_ip: '192.168.100.1' }),
  satellite_route_blockage: (_row, n) => ({ az_start: 350 - n, az_end: 10 + n }),
  satellite_route_opt: ({ opt_file: file }) =>
    typeof file === 'object' && file !== null && 'sha256' in file ? { sha256: file.sha256 } : {},
  satellite_route_beam: (_row, n) => ({ beam_id: n + 1 }),
  satellite_route_position: (row) => ({
    primary: 'acu',
    backup: 'gnss',
    ...(row.udp_port !== undefined && { udp_port: 10_110 }),
  }),
  fence_area: (row, n) => ({ ...ranked(row, n, () => ({})), valid_from: 1_800_000_000, valid_to: 1_800_000_000 + day }),
  link_change_mode: (row, _n, docOf) => {
    const [primary, backup] = links(docOf);
    return { primary_link: primary, ...(row.backup_link !== undefined && { backup_link: backup }) };
  },
  link_change_priority: ranked,
  link_change_threshold: (row) => ({
    latency_fail: 1500,
    latency_recover: 900,
    loss_fail: 40,
    loss_recover: 10,
    ...(row.snr_fail !== undefined && { snr_fail: 4, snr_recover: 6 }),
    ...(row.rsrp_fail !== undefined && { rsrp_fail: -115, rsrp_recover: -108 }),
  }),
  arbiter_flow_class: ordered,
  arbiter_policy: (row, _n, docOf) => ({ links: lines(row, 'links', (i) => ({ link: links(docOf)[i], order: i + 1 })) }),
  arbiter_probe: () => ({ reliability: 2, interval: 10, standby_interval: 300 }),
  qos_class: (_row, n, docOf) => ({
    link: links(docOf)[Math.floor(n / 8)],
    priority: n % 8,
    down_guarantee: 5,
    up_guarantee: 5,
    down_max: 90,
    up_max: 90,
  }),
  qos_rule: ordered,
  qos_user_limit: ordered,
  qos_app_limit: ordered,
  vpn_l2tp: (row) => (row.role === 'server' ? { pool_start: '10.240.0.10', pool_end: '10.240.0.90' } : {}),
  vpn_openvpn: (_row, n) => ({ port: 11_940 + n }),
  vpn_wireguard: (_row, n) => ({ name: `wg${n}`, listen_port: 51_820 + n }),
  vpn_gre: (_row, n) => ({ name: `gre${n}` }),
  behavior_app_control: (_row, n) => ({ priority: n }),
  behavior_url_filter: (_row, n) => ({ priority: n }),
  ac_setting: () => ({ control_port: 5246, data_port: 5247 }),
  ac_ap_list: (row, n) => (row.ip_mode === 'static' ? { ipaddr: `10.0.2.${n + 1}/24`, gateway: '10.0.2.254' } : {}),
  auth_policy: ranked,
  auth_radius: (row) => (row.coa_port === undefined ? {} : { coa_port: 3799 }),
  defense_firewall_rule: ordered,
  defense_port_mapping: (_row, n, docOf) => ({ ext_port: `${30_000 + n}`, int_ip: inLan(n, docOf).host(n) }),
  // Never in the past.
  advanced_reboot_schedule: (row, n) => (row.cycle === 'once' ? { run_at: 4_000_000_000 + n * day } : {}),
  advanced_remote_manage: (row) => ({ https_port: 443, ...(row.ssh_port !== undefined && { ssh_port: 22 }) }),
  advanced_snmp: () => ({ port: 161 }),
  docker_container: (row, n) => (row.ports === undefined ? {} : { ports: lines(row, 'ports', (i) => ({ host_port: 40_000 + n * 8 + i })) }),
  reporter_dpi: (row) => (row.mode === 'single' ? { from_time: 1_800_000_000, to_time: 1_800_000_000 + day } : {}),
  telnet_setting: () => ({ port: 23 }),
  diagnosis_log_collect: () => ({ from_time: 1_800_000_000, to_time: 1_800_000_000 + day }),
  guide_quick_setup: (row) => ({
    wan_port: 'eth0',
    lan_ipaddr: '192.168.10.1/24',
    ...(row.wan_proto === 'static' && { wan_ipaddr: '172.31.0.2/24', wan_gateway: '172.31.0.1' }),
    ...(row.dhcp_enabled === true && { dhcp_start: '192.168.10.50', dhcp_end: '192.168.10.250' }),
  }),
  guide_satellite_commission: () => ({ modem_ip: '192.168.0.1', acu_ip: '192.168.2.1' }),
  guide_wifi_portal: () => ({ vlan_id: 900, gateway_ip: '192.168.20.1/24' }),
};

export const fitted = (page: string, row: Row, n: number, docOf: DocOf): Row => ({ ...row, ...fits[page]?.(row, n, docOf) });
