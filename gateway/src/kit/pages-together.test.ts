import { describe, expect, test } from 'vitest';
import { gatewayPages } from '../menu.ts';
import type { JsonObject } from '../protocol/shape.ts';
import { checkConfig, checkValues } from './config.ts';
import { broken, type Docs, docOf, lan, rows } from './test/docs.ts';

describe('rules between pages', () => {
  const was = { network_lan: rows(lan('lan1', '10.1.0.1/24')), network_wan: rows({ name: 'wan1', port: 'eth0' }) };
  const pool = { name: 'p', interface: 'lan1', start: '10.1.0.10', end: '10.1.0.20', gateway: '10.1.0.1' };

  test.each([
    ['start', { start: '10.2.0.10', end: '10.2.0.20' }, ['start', 'end']],
    ['end', { end: '10.1.1.20' }, ['end']],
    ['gateway', { gateway: '10.1.1.1' }, ['gateway']],
  ])('the %s of a pool is inside the subnet of its interface', (_field, more, paths) => {
    expect(broken({ network_dhcp_server: rows(pool) }, was)).toEqual([]);
    expect(broken({ network_dhcp_server: rows({ ...pool, ...more }) }, was)).toEqual(
      paths.map((path) => `network_dhcp_server rows[0].${path}`),
    );
  });

  test('a static lease is inside the subnet of its interface, also of a secondary one', () => {
    const two = { ...was, network_lan: rows(lan('lan1', '10.1.0.1/24', 'eth1', { secondary: [{ ipaddr: '10.7.0.1/24' }] })) };
    const leases = (ip: string) => ({ network_dhcp_static: rows({ mac: 'm', ip, interface: 'lan1' }) });
    expect(broken(leases('10.7.0.9'), two)).toEqual([]);
    expect(broken(leases('10.8.0.9'), two)).toEqual(['network_dhcp_static rows[0].ip']);
  });

  test.each([
    ['the network address', { start: '10.1.0.0', exclude: [{ ip: '10.1.0.1' }] }, 'start'],
    ['the broadcast address', { end: '10.1.0.255' }, 'end'],
    ['the address of its interface', { start: '10.1.0.1' }, 'start'],
  ])('a pool does not contain %s', (_what, more, field) => {
    expect(broken({ network_dhcp_server: rows({ ...pool, ...more }) }, was)).toEqual([`network_dhcp_server rows[0].${field}`]);
  });

  test('a pool may contain the address of its interface if it is excluded', () => {
    const mid = { ...was, network_lan: rows(lan('lan1', '10.1.0.15/24')) };
    expect(broken({ network_dhcp_server: rows(pool) }, mid)).toEqual(['network_dhcp_server rows[0].start']);
    expect(broken({ network_dhcp_server: rows({ ...pool, end: '10.1.0.15' }) }, mid)).toEqual(['network_dhcp_server rows[0].end']);
    expect(broken({ network_dhcp_server: rows({ ...pool, exclude: [{ ip: '10.1.0.15' }] }) }, mid)).toEqual([]);
    expect(broken({ network_lan: mid.network_lan }, { ...was, network_dhcp_server: rows(pool) })).toEqual(['network_lan rows[0].ipaddr']);
  });

  test('a static lease is neither the address of the gateway nor the network or broadcast address', () => {
    const lease = (ip: string) => broken({ network_dhcp_static: rows({ mac: 'm', ip, interface: 'lan1' }) }, was);
    expect(lease('10.1.0.2')).toEqual([]);
    for (const ip of ['10.1.0.1', '10.1.0.0', '10.1.0.255']) expect(lease(ip)).toEqual(['network_dhcp_static rows[0].ip']);
    const leases = { network_dhcp_static: rows({ mac: '02:00:00:00:00:01', ip: '10.1.0.9', interface: 'lan1' }) };
    const moved = { network_lan: rows(lan('lan1', '10.1.0.9/24')) };
    expect(checkConfig(['network_lan'], docOf({ ...was, ...leases, ...moved }), docOf({ ...was, ...leases }))).toMatchObject([
      {
        section: 'network_lan',
        path: 'rows[0].ipaddr',
        text: ['静态绑定“02:00:00:00:00:01”占用此地址', 'The static lease "02:00:00:00:00:01" uses this address'],
      },
    ]);
  });

  test.each([
    ['network_lan', rows(lan('lan1', '10.1.0.1/24'))],
    ['network_vlan', rows({ name: 'v', vlan_id: 2, parent: 'lan1', ipaddr: '10.1.0.1/24' })],
  ])('the subnet of a static WAN must not overlap %s, and the reverse', (page, local) => {
    const wan = (ipaddr: string, more: JsonObject = {}) => ({ network_wan: rows({ name: 'w', port: 'eth5', ipaddr, ...more }) });
    expect(broken(wan('10.1.0.5/24'), { [page]: local })).toEqual(['network_wan rows[0].ipaddr']);
    expect(broken({ [page]: local }, wan('10.1.0.5/24'))).toEqual([`${page} rows[0].ipaddr`]);
    expect(broken(wan('10.1.0.5/24', { enabled: false }), { [page]: local })).toEqual([]);
    expect(broken(wan('10.2.0.5/24'), { [page]: local })).toEqual([]);
  });

  test('the subnet of a WAN may contain the modem behind it', () => {
    const modem = { satellite_route_modem: rows({ sat_network: 'global', mgmt_ip: '192.168.0.1' }) };
    expect(broken({ network_wan: rows({ name: 'w', port: 'eth0', ipaddr: '192.168.0.2/24' }) }, modem)).toEqual([]);
  });

  test('the port of a WAN is not a member of a LAN, whichever of the two changes', () => {
    const wan = (port: string, more: JsonObject = {}) => ({ network_wan: rows({ name: 'wan1', port, ...more }) });
    expect(broken(wan('eth1'), was)).toEqual(['network_wan rows[0].port']);
    expect(broken(wan('eth1', { enabled: false }), was)).toEqual([]);
    expect(broken(wan('eth2'), was)).toEqual([]);
    const taken = { network_lan: rows(lan('lan1', '10.1.0.1/24', 'eth0')) };
    expect(checkConfig(['network_lan'], docOf({ ...was, ...taken }), docOf(was))).toEqual([
      { section: 'network_lan', path: 'rows[0].ports[0].port', text: ['已被WAN“wan1”使用', 'Used by WAN "wan1"'] },
    ]);
    expect(broken({ ...taken, ...wan('eth1') }, was)).toEqual([]);
  });

  test('the target of a port mapping is on board, also behind a router there', () => {
    const target = (int_ip: string, more: Docs = {}) => broken({ defense_port_mapping: rows({ int_ip }) }, { ...was, ...more });
    expect(target('10.1.0.9')).toEqual([]);
    for (const ip of ['8.8.8.8', '10.1.0.0', '10.2.0.9']) expect(target(ip)).toEqual(['defense_port_mapping rows[0].int_ip']);
    const route = (of: string) => ({ network_static_route: rows({ destination: '10.2.0.0/16', interface: of }) });
    expect(target('10.2.0.9', route('lan1'))).toEqual([]);
    expect(target('10.2.0.9', route('wan1'))).toEqual(['defense_port_mapping rows[0].int_ip']);
  });

  test('a LAN change that leaves a DHCP pool outside the subnet is refused at the LAN', () => {
    const existing = { ...was, network_dhcp_server: rows(pool) };
    const moved = { network_lan: rows(lan('lan1', '10.3.0.1/24')) };
    expect(broken(moved, existing)).toEqual(Array.from({ length: 3 }, () => 'network_lan rows[0].ipaddr'));
    const [problem] = checkConfig(['network_lan'], docOf({ ...existing, ...moved }), docOf(existing));
    expect(problem?.text).toEqual([
      '地址池“p”的地址10.1.0.10不在此网段内',
      'The address pool "p" has address 10.1.0.10, which is not in this subnet',
    ]);
    expect(
      broken({ ...moved, network_dhcp_server: rows({ ...pool, start: '10.3.0.2', end: '10.3.0.3', gateway: '10.3.0.1' }) }, existing),
    ).toEqual([]);
  });

  test('an existing error of another page is not reported', () => {
    const bad = { ...was, network_dhcp_server: rows({ ...pool, end: '10.9.0.9' }) };
    expect(broken({ network_lan: rows(lan('lan1', '10.1.0.1/24', 'eth1', { remark: 'x' })) }, bad)).toEqual([]);
  });

  test.each([
    ['network_vlan', rows({ name: 'v', vlan_id: 2, parent: 'lan1', ipaddr: '10.1.0.65/26' }), 'rows[0].ipaddr'],
    ['satellite_route_modem', rows({ sat_network: 'global', mgmt_ip: '10.1.0.7' }), 'rows[0].mgmt_ip'],
    ['satellite_route_antenna', rows({ antenna: 'a', acu_ip: '10.1.0.7' }), 'rows[0].acu_ip'],
    ['satellite_route_lband', { enabled: true, mgmt_ip: '10.1.0.7' }, 'mgmt_ip'],
    ['satellite_route_leo', { enabled: true, dish_ip: '10.1.0.7' }, 'dish_ip'],
  ])('%s must not overlap a LAN, and the reverse', (page, doc, path) => {
    expect(broken({ [page]: doc }, was)).toEqual([`${page} ${path}`]);
    expect(broken({ network_lan: was.network_lan }, { [page]: doc })).toEqual(['network_lan rows[0].ipaddr']);
    expect(broken({ [page]: doc }, {})).toEqual([]);
  });

  test('a disabled terminal causes no conflict', () => {
    expect(broken({ satellite_route_leo: { enabled: false, dish_ip: '10.1.0.7' } }, was)).toEqual([]);
  });

  test('an interface name is unique among all kinds of interfaces', () => {
    expect(broken({ network_vlan: rows({ name: 'wan1', vlan_id: 2, parent: 'lan1', ipaddr: '10.5.0.1/24' }) }, was)).toEqual([
      'network_vlan rows[0].name',
    ]);
    expect(broken({ vpn_gre: rows({ name: 'lan1' }) }, was)).toEqual(['vpn_gre rows[0].name']);
  });

  test('a row that other rows refer to cannot be deleted', () => {
    const existing = { ...was, network_dhcp_server: rows(pool) };
    expect(checkConfig(['network_lan'], docOf({ ...existing, network_lan: rows() }), docOf(existing))).toMatchObject([
      { section: 'network_lan', path: 'rows', text: [expect.stringContaining('DHCP服务'), expect.stringContaining('DHCP server')] },
    ]);
  });
});

describe('the values of a guide', () => {
  const setup = {
    device_name: 'A',
    timezone: 'UTC',
    admin_password: 'Passw0rd',
    wan_port: 'eth0',
    wan_link_type: '6d',
    wan_proto: 'dhcp',
    lan_ipaddr: '192.168.10.1/24',
    dhcp_enabled: true,
    dhcp_start: '192.168.10.50',
    dhcp_end: '192.168.10.250',
  };
  const of = (key: string, values: JsonObject, docs: Docs = {}) => {
    const page = gatewayPages.get(key);
    return page ? checkValues(page, values, docOf(docs)).problems.map(({ path }) => path) : ['no such page'];
  };

  test('are checked and refused at their own fields', () => {
    expect(of('guide_quick_setup', setup)).toEqual([]);
    expect(of('guide_quick_setup', { ...setup, dhcp_end: '192.168.11.250' })).toEqual(['dhcp_end']);
    expect(of('guide_quick_setup', { ...setup, dhcp_start: '192.168.10.1' })).toEqual(['dhcp_start']);
    expect(of('guide_quick_setup', { ...setup, device_name: '' })).toEqual(['device_name']);
    expect(of('diagnosis_log_collect', { from_time: 9, to_time: 8 })).toEqual(['to_time']);
    const lans = { network_lan: rows(lan('lan1', '192.168.20.1/24')) };
    const wifi = { ssid: 'x', security: 'open', vlan_id: 20, gateway_ip: '192.168.20.1/24', portal_enabled: false };
    expect(of('guide_wifi_portal', wifi, lans)).toEqual(['gateway_ip']);
    expect(of('guide_wifi_portal', wifi)).toEqual([]);
    const wans = { network_wan: rows({ name: 'w', port: 'eth0', vlan_id: 20, ipaddr: '192.168.20.5/24' }) };
    expect(of('guide_wifi_portal', wifi, wans)).toEqual(['gateway_ip']);
  });

  test('may refer only to existing rows', () => {
    expect(of('diagnosis_ping', { host: 'a.example', interface: 'wan9' })).toEqual(['interface']);
    expect(of('diagnosis_ping', { host: 'a.example', interface: 'lan1' }, { network_lan: rows(lan('lan1', '10.0.0.1/24')) })).toEqual([]);
  });
});
