import { describe, expect, it } from 'vitest';
import { checkConfig, checkValues, factoryDocs } from '../../../kit/config.ts';
import { readDocument, readFields, rowsOf } from '../../../kit/document.ts';
import { gatewayPages } from '../../../menu.ts';
import type { JsonObject } from '../../../protocol/shape.ts';
import { problemsOfGuide, writeGuide } from './guides.ts';

const factory = (section: string): JsonObject => factoryDocs.get(section) ?? {};

/** Validated like on the server: each page alone, then all together. */
const write = (page: string, values: JsonObject, docOf = factory) => {
  const guide = gatewayPages.get(page);
  if (!guide) throw new Error(page);
  const { doc, problems } = readFields(guide.fields, values);
  expect(problems).toEqual([]);
  const written = writeGuide(page, doc, docOf);
  if (!written) throw new Error(page);
  const read = [...written.docs].map(([section, raw]) => {
    const target = gatewayPages.get(section);
    if (!target) throw new Error(section);
    return { section, ...readDocument(target, raw) };
  });
  const docs = new Map(read.map(({ section, doc: one }) => [section, one]));
  const own = read.flatMap(({ section, problems: some }) => some.map((problem) => ({ ...problem, section })));
  const all = own.length > 0 ? own : checkConfig([...docs.keys()], (section) => docs.get(section) ?? docOf(section), docOf);
  return { docs, problems: problemsOfGuide(all, written, 'first') };
};

const quick = {
  device_name: 'Ship',
  timezone: 'UTC+8',
  admin_password: 'Sesame2026',
  wan_port: 'eth0',
  wan_link_type: '6d',
  wan_proto: 'static',
  wan_ipaddr: '10.1.2.3/24',
  wan_gateway: '10.1.2.1',
  lan_ipaddr: '192.168.10.1/24',
  dhcp_enabled: true,
  dhcp_start: '192.168.10.50',
  dhcp_end: '192.168.10.250',
};
const wifi = { ssid: 'Crew', security: 'open', vlan_id: 20, gateway_ip: '192.168.20.1/24', portal_enabled: true, portal_type: 'platform' };

describe('quick setup', () => {
  it('writes complete documents for a gateway with factory settings', () => {
    const { docs, problems } = write('guide_quick_setup', quick);
    expect(problems).toEqual([]);
    expect(rowsOf(docs.get('network_wan') ?? {})).toMatchObject([{ name: 'wan_6d', port: 'eth0', proto: 'static', gateway: '10.1.2.1' }]);
    expect(rowsOf(docs.get('network_lan') ?? {})).toMatchObject([
      { name: 'lan', ports: [{ port: 'eth1' }, { port: 'eth2' }, { port: 'eth3' }] },
    ]);
    expect(rowsOf(docs.get('network_dhcp_server') ?? {})).toMatchObject([{ interface: 'lan', start: '192.168.10.50', mode: 'server' }]);
    expect(rowsOf(docs.get('advanced_admin') ?? {})).toMatchObject([{ username: 'admin', role: 'super', password: 'Sesame2026' }]);
  });

  it('changes existing rows and removes the values of the previous address mode', () => {
    const { docs } = write('guide_quick_setup', quick);
    const then = (section: string) => docs.get(section) ?? factory(section);
    const { docs: again, problems } = write(
      'guide_quick_setup',
      { ...quick, wan_proto: 'dhcp', lan_ipaddr: '192.168.30.1/24', dhcp_enabled: false },
      then,
    );
    expect(problems).toEqual([]);
    const [wan, ...others] = rowsOf(again.get('network_wan') ?? {});
    expect([wan?.proto, wan?.gateway, others]).toEqual(['dhcp', undefined, []]);
    expect(rowsOf(again.get('network_dhcp_server') ?? {})).toMatchObject([{ enabled: false }]);
  });

  it('reports a pool outside the LAN at its field', () => {
    const { problems } = write('guide_quick_setup', { ...quick, dhcp_end: '192.168.99.9' });
    expect(problems.map(({ path }) => path)).toContain('dhcp_end');
  });

  it('reports an uplink in the LAN subnet and an uplink on a LAN port at their fields', () => {
    const { problems } = write('guide_quick_setup', { ...quick, wan_ipaddr: '192.168.10.5/24', wan_gateway: '192.168.10.9' });
    expect(problems.map(({ path }) => path)).toEqual(expect.arrayContaining(['wan_ipaddr', 'lan_ipaddr']));
    const { docs } = write('guide_quick_setup', quick);
    const { problems: onLan } = write(
      'guide_quick_setup',
      { ...quick, wan_port: 'eth1', wan_ipaddr: '10.9.2.3/24', wan_gateway: '10.9.2.1' },
      (section) => docs.get(section) ?? factory(section),
    );
    expect(onLan.map(({ path }) => path)).toEqual(['wan_port']);
  });
});

describe('Wi-Fi and portal', () => {
  const { docs: base } = write('guide_quick_setup', quick);
  const ready = (section: string) => base.get(section) ?? factory(section);

  it('creates VLAN, address pool, SSID, policy and portal together', () => {
    const { docs, problems } = write('guide_wifi_portal', { ...wifi, client_down: 2048 }, ready);
    expect(problems).toEqual([]);
    expect(rowsOf(docs.get('network_vlan') ?? {})).toMatchObject([{ name: 'vlan20', vlan_id: 20, parent: 'lan' }]);
    expect(rowsOf(docs.get('ac_ssid') ?? {})).toMatchObject([{ ssid: 'Crew', vlan_id: 20, portal: true, client_down: 2048 }]);
    expect(rowsOf(docs.get('auth_policy') ?? {})).toMatchObject([{ interface: 'vlan20', method: 'portal' }]);
    expect(docs.get('auth_portal')).toMatchObject({ enabled: true, portal_type: 'platform', portal_name: 'Crew' });
    expect(rowsOf(docs.get('network_dhcp_server') ?? {}).at(-1)).toMatchObject({
      interface: 'vlan20',
      start: '192.168.20.50',
      end: '192.168.20.254',
    });
  });

  it('can run again: the VLAN that it changes is no conflict', () => {
    const { docs } = write('guide_wifi_portal', wifi, ready);
    const then = (section: string) => docs.get(section) ?? ready(section);
    const guide = gatewayPages.get('guide_wifi_portal');
    const problemPaths = (values: JsonObject) => (guide ? checkValues(guide, values, then).problems.map(({ path }) => path) : []);
    expect(problemPaths({ ...wifi, portal_enabled: false })).toEqual([]);
    expect(problemPaths({ ...wifi, vlan_id: 21 })).toEqual(['gateway_ip']);
    expect(write('guide_wifi_portal', { ...wifi, gateway_ip: '192.168.21.1/24' }, then).problems).toEqual([]);
  });

  it('creates an address pool beside the gateway address', () => {
    const pools = (gateway_ip: string) => {
      const { docs, problems } = write('guide_wifi_portal', { ...wifi, gateway_ip }, ready);
      expect(problems).toEqual([]);
      return rowsOf(docs.get('network_dhcp_server') ?? {}).at(-1);
    };
    expect(pools('192.168.20.254/24')).toMatchObject({ start: '192.168.20.50', end: '192.168.20.253' });
    expect(pools('192.168.20.100/24')).toMatchObject({ start: '192.168.20.101', end: '192.168.20.254' });
  });

  it('finds a free priority for its policy, even if the last ones are used', () => {
    const policy = { name: 'p', priority: 100, interface: 'lan', method: 'none', backend: 'platform', escape: 'cached' };
    const crowded = (section: string) =>
      section === 'auth_policy' ? { rows: [policy, { ...policy, name: 'q', priority: 99 }] } : ready(section);
    const { docs, problems } = write('guide_wifi_portal', wifi, crowded);
    expect(problems).toEqual([]);
    expect(rowsOf(docs.get('auth_policy') ?? {}).map(({ priority }) => priority)).toEqual([100, 99, 98]);
  });

  it('reports at its field that a local portal has no page, and that there is no LAN', () => {
    const local = write('guide_wifi_portal', { ...wifi, portal_type: 'local' }, ready);
    expect(local.problems).toMatchObject([{ path: 'portal_type' }]);
    expect(write('guide_wifi_portal', wifi).problems).toMatchObject([{ path: 'vlan_id' }]);
  });
});

describe('the other guides', () => {
  it('commission a satellite: modem, options file, antenna and a fixed beam', () => {
    const { docs: base } = write('guide_quick_setup', quick);
    const beams = {
      rows: [601, 602].map((beam_id) => ({
        beam_id,
        name: `b${beam_id}`,
        sat_network: 'global',
        satellite: 'APSTAR-6D',
        orbital_longitude: '134.0',
        preference: 1,
      })),
    };
    const ready = (section: string) => (section === 'satellite_route_beam' ? beams : (base.get(section) ?? factory(section)));
    const values = {
      link: 'wan_6d',
      sat_network: 'global',
      modem_type: 'idirect_evolution',
      modem_ip: '192.168.0.1',
      modem_user: 'admin',
      modem_password: 'secret',
      opt_file: { name: 'ship.12345.opt', size: 10, sha256: '0'.repeat(64) },
      acu_vendor: 'intellian',
      acu_ip: '192.168.2.1',
      acu_protocol: 'openamip',
      acu_port: 2002,
      heading_source: 'gyro',
      beam_select: 'manual',
      beam: '602',
      line_up_test: 'full',
      noc_contact: '+86-10-12345',
    };
    const { docs, problems } = write('guide_satellite_commission', values, ready);
    expect(problems).toEqual([]);
    expect(rowsOf(docs.get('satellite_route_modem') ?? {})).toMatchObject([{ link: 'wan_6d', password: 'secret', username: 'admin' }]);
    expect(rowsOf(docs.get('satellite_route_opt') ?? {})).toMatchObject([
      { name: 'ship.12345', modem_sn: '12345', remark: 'line-up: full, NOC +86-10-12345' },
    ]);
    expect(rowsOf(docs.get('satellite_route_antenna') ?? {})).toMatchObject([{ antenna: 'a', heading_input: 'gyro' }]);
    expect(rowsOf(docs.get('satellite_route_beam') ?? {}).map(({ preference }) => preference)).toEqual([2, 1]);
  });

  it('bind a gateway to its platform', () => {
    const values = {
      platform_host: 'noc.example.com',
      platform_port: 8883,
      tls: true,
      merchant_code: 'EAST',
      device_key: 'k'.repeat(20),
      billing_mode: 3,
      restore_backup: true,
    };
    const { docs, problems } = write('guide_platform_binding', values);
    expect(problems).toEqual([]);
    expect([...docs.keys()]).toEqual(['advanced_cloud_platform']);
    expect(docs.get('advanced_cloud_platform')).toMatchObject({
      host: 'noc.example.com',
      port: 8883,
      merchant_code: 'EAST',
      enabled: true,
      billing_mode: 3,
      restore_backup: true,
    });
  });
});
