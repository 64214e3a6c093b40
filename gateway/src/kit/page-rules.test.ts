import { describe, expect, test } from 'vitest';
import { gatewayPages } from '../menu.ts';
import type { JsonObject } from '../protocol/shape.ts';
import { checkConfig } from './config.ts';
import { broken, docOf, lan, rows } from './test/docs.ts';

/** For each rule: values that pass, and values that break it. */
const cases: readonly (readonly [rule: string, page: string, good: JsonObject, bad: JsonObject, path: string])[] = [
  [
    'a combination of WAN port and VLAN is unique',
    'network_wan',
    rows({ name: 'a', port: 'eth0', vlan_id: 5 }, { name: 'b', port: 'eth0', vlan_id: 6 }, { name: 'c', port: 'eth0' }),
    rows({ name: 'a', port: 'eth0' }, { name: 'b', port: 'eth0' }),
    'rows[1].port',
  ],
  [
    'the gateway of a WAN is in its subnet',
    'network_wan',
    rows({ name: 'a', port: 'eth0', ipaddr: '10.1.0.2/30', gateway: '10.1.0.1' }),
    rows({ name: 'a', port: 'eth0', ipaddr: '10.1.0.2/30', gateway: '10.1.0.5' }),
    'rows[0].gateway',
  ],
  [
    'the gateway of a WAN is another address',
    'network_wan',
    rows({ name: 'a', port: 'eth0', ipaddr: '10.1.0.2/29', gateway: '10.1.0.1' }),
    rows({ name: 'a', port: 'eth0', ipaddr: '10.1.0.2/29', gateway: '10.1.0.2' }),
    'rows[0].gateway',
  ],
  [
    'the gateway of a WAN is a host',
    'network_wan',
    rows({ name: 'a', port: 'eth0', ipaddr: '10.1.0.2/29', gateway: '10.1.0.6' }),
    rows({ name: 'a', port: 'eth0', ipaddr: '10.1.0.2/29', gateway: '10.1.0.7' }),
    'rows[0].gateway',
  ],
  [
    'subnets of WANs do not overlap, except of a disabled one',
    'network_wan',
    rows({ name: 'a', port: 'eth0', ipaddr: '10.1.0.2/24' }, { name: 'b', port: 'eth5', ipaddr: '10.1.0.3/24', enabled: false }),
    rows({ name: 'a', port: 'eth0', ipaddr: '10.1.0.2/24' }, { name: 'b', port: 'eth5', ipaddr: '10.1.0.129/25' }),
    'rows[1].ipaddr',
  ],
  [
    'a LAN port belongs to one LAN only',
    'network_lan',
    rows(lan('a', '10.1.0.1/24', 'eth1'), lan('b', '10.2.0.1/24', 'eth2')),
    rows(lan('a', '10.1.0.1/24', 'eth1'), lan('b', '10.2.0.1/24', 'eth1')),
    'rows[1].ports[0].port',
  ],
  [
    'LAN subnets do not overlap',
    'network_lan',
    rows(lan('a', '10.1.0.1/24', 'eth1'), lan('b', '10.1.1.1/24', 'eth2')),
    rows(lan('a', '10.1.0.1/23', 'eth1'), lan('b', '10.1.1.1/24', 'eth2')),
    'rows[1].ipaddr',
  ],
  [
    'secondary LAN subnets do not overlap either',
    'network_lan',
    rows(lan('a', '10.1.0.1/24', 'eth1', { secondary: [{ ipaddr: '10.9.0.1/24' }] }), lan('b', '10.1.1.1/24', 'eth2')),
    rows(lan('a', '10.1.0.1/24', 'eth1', { secondary: [{ ipaddr: '10.1.0.129/25' }] })),
    'rows[0].secondary[0].ipaddr',
  ],
  [
    'a LAN does not cover the L-band terminal',
    'network_lan',
    rows(lan('a', '192.168.10.1/24')),
    rows(lan('a', '192.168.1.5/24')),
    'rows[0].ipaddr',
  ],
  [
    'a VLAN ID is unique on its parent',
    'network_vlan',
    rows({ name: 'v1', vlan_id: 20, parent: 'a', ipaddr: '10.1.0.1/24' }, { name: 'v2', vlan_id: 20, parent: 'b', ipaddr: '10.2.0.1/24' }),
    rows({ name: 'v1', vlan_id: 20, parent: 'a', ipaddr: '10.1.0.1/24' }, { name: 'v2', vlan_id: 20, parent: 'a', ipaddr: '10.2.0.1/24' }),
    'rows[1].vlan_id',
  ],
  [
    'a DHCP pool ends after its start',
    'network_dhcp_server',
    rows({ name: 'p', interface: 'x', start: '10.1.0.9', end: '10.1.0.10' }),
    rows({ name: 'p', interface: 'x', start: '10.1.0.10', end: '10.1.0.9' }),
    'rows[0].end',
  ],
  [
    'address pools of an interface do not overlap',
    'network_dhcp_server',
    rows(
      { name: 'p', interface: 'x', start: '10.1.0.10', end: '10.1.0.20' },
      { name: 'q', interface: 'x', start: '10.1.0.21', end: '10.1.0.30' },
      { name: 'r', interface: 'y', start: '10.1.0.10', end: '10.1.0.20' },
      { name: 's', interface: 'x', start: '10.1.0.10', end: '10.1.0.20', enabled: false },
    ),
    rows(
      { name: 'p', interface: 'x', start: '10.1.0.10', end: '10.1.0.20' },
      { name: 'q', interface: 'x', start: '10.1.0.20', end: '10.1.0.30' },
    ),
    'rows[1].start',
  ],
  [
    'an address pool does not end in another one',
    'network_dhcp_server',
    rows({ name: 'p', interface: 'x', start: '10.1.0.10', end: '10.1.0.20' }),
    rows(
      { name: 'p', interface: 'x', start: '10.1.0.10', end: '10.1.0.20' },
      { name: 'q', interface: 'x', start: '10.1.0.5', end: '10.1.0.12' },
    ),
    'rows[1].end',
  ],
  [
    'a static address is leased only once',
    'network_dhcp_static',
    rows({ ip: '10.0.0.1' }, { ip: '10.0.0.2' }),
    rows({ ip: '10.0.0.1' }, { ip: '10.0.0.1' }),
    'rows[1].ip',
  ],
  [
    'priority is unique on a link',
    'qos_class',
    rows({ priority: 1, link: 'a' }, { priority: 1, link: 'b' }),
    rows({ priority: 1, link: 'a' }, { priority: 1, link: 'a' }),
    'rows[1].priority',
  ],
  [
    'priority is unique on all links if the class has no link',
    'qos_class',
    rows({ priority: 1, link: 'a' }, { priority: 2 }),
    rows({ priority: 1, link: 'a' }, { priority: 1 }),
    'rows[1].priority',
  ],
  [
    'order is unique in the links of a policy',
    'arbiter_policy',
    rows({ links: [{ link: 'a', order: 1 }] }, { links: [{ link: 'a', order: 1 }] }),
    rows({
      links: [
        { link: 'a', order: 1 },
        { link: 'b', order: 1 },
      ],
    }),
    'rows[0].links[1].order',
  ],
  [
    'a time group may cross midnight but is never empty',
    'network_time_group',
    rows({ start: '22:00', end: '06:00' }),
    rows({ start: '22:00', end: '22:00' }),
    'rows[0].end',
  ],
  [
    'a validity period ends after its start',
    'network_time_group',
    rows({ valid_from: 5, valid_to: 6 }),
    rows({ valid_from: 6, valid_to: 6 }),
    'rows[0].valid_to',
  ],
  [
    'a validity period ends after its start',
    'fence_area',
    rows({ valid_from: 5, valid_to: 6 }),
    rows({ valid_from: 6, valid_to: 5 }),
    'rows[0].valid_to',
  ],
  [
    'a report period ends after its start',
    'reporter_dpi',
    rows({ from_time: 5, to_time: 6 }),
    rows({ from_time: 6, to_time: 5 }),
    'rows[0].to_time',
  ],
  [
    'latency must be better for recovery than for failure',
    'link_change_threshold',
    rows({ latency_fail: 900, latency_recover: 899 }),
    rows({ latency_fail: 900, latency_recover: 900 }),
    'rows[0].latency_recover',
  ],
  [
    'loss must be better for recovery than for failure',
    'link_change_threshold',
    rows({ loss_fail: 9, loss_recover: 8 }),
    rows({ loss_fail: 9, loss_recover: 9 }),
    'rows[0].loss_recover',
  ],
  [
    'SNR must be better for recovery than for failure',
    'link_change_threshold',
    rows({ snr_fail: 4, snr_recover: 5 }),
    rows({ snr_fail: 4, snr_recover: 4 }),
    'rows[0].snr_recover',
  ],
  [
    'RSRP must be better for recovery than for failure',
    'link_change_threshold',
    rows({ rsrp_fail: -115, rsrp_recover: -114 }),
    rows({ rsrp_fail: -115, rsrp_recover: -116 }),
    'rows[0].rsrp_recover',
  ],
  [
    'probes of a standby link are not more frequent than normal probes',
    'arbiter_probe',
    rows({ method: 'modem', interval: 10, standby_interval: 10 }),
    rows({ method: 'modem', interval: 10, standby_interval: 9 }),
    'rows[0].standby_interval',
  ],
  [
    'a probe needs targets unless its method is the modem',
    'arbiter_probe',
    rows({ method: 'modem', reliability: 3 }),
    rows({ method: 'icmp' }),
    'rows[0].targets',
  ],
  [
    'the required number of answers does not exceed the number of targets',
    'arbiter_probe',
    rows({ method: 'icmp', reliability: 2, targets: [{ host: 'a' }, { host: 'b' }] }),
    rows({ method: 'icmp', reliability: 2, targets: [{ host: 'a' }] }),
    'rows[0].reliability',
  ],
  [
    'primary and backup link are different',
    'link_change_mode',
    { primary_link: 'a', backup_link: 'b' },
    { primary_link: 'a', backup_link: 'a' },
    'backup_link',
  ],
  [
    'primary and backup receiver are different',
    'satellite_route_position',
    { primary: 'acu', backup: 'gnss' },
    { primary: 'acu', backup: 'acu' },
    'backup',
  ],
  [
    'a satellite network has one modem',
    'satellite_route_modem',
    rows({ sat_network: 'global' }, { sat_network: 'second' }),
    rows({ sat_network: 'global' }, { sat_network: 'global' }),
    'rows[1].sat_network',
  ],
  [
    'a blockage sector may cross north but is never empty',
    'satellite_route_blockage',
    rows({ az_start: 350, az_end: 10 }),
    rows({ az_start: 10, az_end: 10 }),
    'rows[0].az_end',
  ],
  [
    'a guarantee does not exceed the maximum',
    'qos_class',
    rows({ down_guarantee: 40, down_max: 40 }),
    rows({ down_guarantee: 41, down_max: 40 }),
    'rows[0].down_guarantee',
  ],
  [
    'a guarantee does not exceed the maximum',
    'qos_class',
    rows({ up_guarantee: 40, up_max: 40 }),
    rows({ up_guarantee: 41, up_max: 40 }),
    'rows[0].up_guarantee',
  ],
  [
    'the guarantees of a link are at most 100 percent in total',
    'qos_class',
    rows(
      { link: 'a', down_guarantee: 60, priority: 1 },
      { link: 'b', down_guarantee: 60, priority: 1 },
      { down_guarantee: 40, priority: 2 },
    ),
    rows(
      { link: 'a', down_guarantee: 60, priority: 1 },
      { link: 'b', down_guarantee: 60, priority: 1 },
      { down_guarantee: 41, priority: 2 },
    ),
    'rows[2].down_guarantee',
  ],
  [
    'a disabled class does not count in the total of guarantees',
    'qos_class',
    rows({ up_guarantee: 60, priority: 1, enabled: false }, { up_guarantee: 60, priority: 2 }),
    rows({ up_guarantee: 60, priority: 1 }, { up_guarantee: 60, priority: 2 }),
    'rows[1].up_guarantee',
  ],
  [
    'a dial-in pool ends after its start',
    'vpn_l2tp',
    rows({ pool_start: '10.0.0.1', pool_end: '10.0.0.9' }),
    rows({ pool_start: '10.0.0.10', pool_end: '10.0.0.9' }),
    'rows[0].pool_end',
  ],
  ['a repeated schedule has a time', 'advanced_reboot_schedule', rows({ cycle: 'once' }), rows({ cycle: 'daily' }), 'rows[0].time'],
  ['a share with accounts has a password', 'file_share', rows({ access: 'read' }), rows({ access: 'auth_read' }), 'rows[0].share_password'],
  [
    'a checksum equals the hash of the file',
    'satellite_route_opt',
    rows({ sha256: 'a', opt_file: { name: 'x.opt', size: 1, sha256: 'a' } }),
    rows({ sha256: 'b', opt_file: { name: 'x.opt', size: 1, sha256: 'a' } }),
    'rows[0].sha256',
  ],
  [
    'the gateway of an access point is in its subnet',
    'ac_ap_list',
    rows({ ipaddr: '10.0.0.2/24', gateway: '10.0.0.1' }),
    rows({ ipaddr: '10.0.0.2/24', gateway: '10.0.1.1' }),
    'rows[0].gateway',
  ],
  [
    'a fence does not cross itself',
    'fence_area',
    rows({
      polygon: [
        [0, 0],
        [0, 1],
        [1, 1],
      ],
    }),
    rows({
      polygon: [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ],
    }),
    'rows[0].polygon',
  ],
  [
    'the coverage of a beam does not cross itself',
    'satellite_route_beam',
    rows({
      coverage: [
        [179, 0],
        [-179, 0],
        [-179, 1],
      ],
    }),
    rows({
      coverage: [
        [179, 0],
        [-179, 1],
        [-179, 0],
        [179, 1],
      ],
    }),
    'rows[0].coverage',
  ],
];

describe('rules between the fields of a page', () => {
  test.each(cases)('%s (%s)', (_rule, page, good, bad, path) => {
    expect(broken({ [page]: good })).toEqual([]);
    expect(broken({ [page]: bad })).toEqual([`${page} ${path}`]);
  });

  test('every order and priority of a list is unique', () => {
    const ranked = [...gatewayPages.values()].filter(({ kind, fields }) => kind === 'list' && (fields.order || fields.priority));
    expect(ranked.length).toBeGreaterThan(8);
    for (const page of ranked) {
      const field = page.fields.order ? 'order' : 'priority';
      expect(broken({ [page.key]: rows({ [field]: 7 }, { [field]: 7 }) })).toEqual([`${page.key} rows[1].${field}`]);
    }
  });

  test('a violation is described in both languages with the other field', () => {
    const docs = { link_change_mode: { primary_link: 'a', backup_link: 'a' } };
    const problems = checkConfig(['link_change_mode'], docOf(docs), docOf({})).filter(({ path }) => path === 'backup_link');
    expect(problems.map(({ text }) => text)).toContainEqual(['不能与“主链路”相同', 'Must differ from "Primary link"']);
  });
});
