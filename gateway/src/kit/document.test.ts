import { describe, expect, test } from 'vitest';
import { gatewayPages } from '../menu.ts';
import type { Json, JsonObject } from '../protocol/shape.ts';
import { checkConfig, factoryDocs, keysOf } from './config.ts';
import { differences } from './difference.ts';
import { mapSecrets, readDocument, readFields } from './document.ts';
import type { GatewayFields } from './field.ts';
import { type GatewayPage, isSection } from './page.ts';
import type { Point } from './ring.ts';

const problemsOf = (key: string, doc: JsonObject) => {
  const page = gatewayPages.get(key);
  return page ? readDocument(page, doc).problems.map(({ path }) => path) : ['no such page'];
};

test('a text is one line of valid printable characters; only a long text may have several lines', () => {
  const remark = (text: string) =>
    problemsOf('network_ip_group', { rows: [{ name: 'a', addresses: [{ address: '10.0.0.1' }], remark: text }] });
  expect(remark('甲板 🛰 deck')).toEqual([]);
  for (const text of ['a\nb', 'a\u0000b', 'a\u2028b', 'a\ud800b', 'a\tb']) expect(remark(text)).toEqual(['rows[0].remark']);
  const raw = (content: string) =>
    problemsOf('hidden_raw_config', { operation: 'apply', package: 'network', content, reason: 'x', confirm: true });
  expect(raw('{\r\n\t"network_wan": {}\n}')).toEqual([]);
  expect(raw('a\u0000b')).toEqual(['content']);
});

test('an address range is not descending and has no number above 255', () => {
  const group = (address: string) => problemsOf('network_ip_group', { rows: [{ name: 'a', addresses: [{ address }] }] });
  for (const good of ['10.0.0.1', '10.0.0.0/8', '10.0.0.1-10.0.0.9', '10.0.0.1-10.0.0.1']) expect(group(good)).toEqual([]);
  for (const bad of ['10.0.0.9-10.0.0.1', '10.0.0.300', '300.0.0.0/8', '10.0.0.1-10.0.0.300', '10.0.0.1-'])
    expect(group(bad)).toEqual(['rows[0].addresses[0].address']);
});

test('MAC addresses in a list are unique regardless of case', () => {
  const leases = (...macs: readonly string[]) =>
    problemsOf('network_dhcp_static', { rows: macs.map((mac, i) => ({ mac, ip: `10.0.0.${i + 1}`, interface: 'lan' })) });
  expect(leases('02:00:00:00:00:0a', '02:00:00:00:00:0b')).toEqual([]);
  expect(leases('02:00:00:00:00:0a', '02:00:00:00:00:0A')).toEqual(['rows[1].mac']);
});

/** Documents with this value in each field, also of nested lists. */
const withValue = (fields: GatewayFields, value: Json): JsonObject[] =>
  Object.entries(fields).flatMap(([name, { items }]) => [
    { [name]: value },
    ...(items ? withValue(items, value).map((line) => ({ [name]: [line] })) : []),
  ]);
const unprintable: readonly Json[] = [{ toString: 1 }, [{ toString: 1 }]];
const sections = [...gatewayPages.values()].filter(isSection);

test.each(sections.map((page): [string, GatewayPage] => [page.key, page]))(
  '%s: a stored value without a text causes no exception',
  (_, page) => {
    const wasOf = (section: string) => factoryDocs.get(section) ?? {};
    for (const values of unprintable.flatMap((value) => withValue(page.fields, value))) {
      const doc = page.kind === 'list' ? { rows: [values, values] } : values;
      const docOf = (section: string) => (section === page.key ? doc : wasOf(section));
      readDocument(page, doc);
      mapSecrets(page, doc, () => undefined);
      differences(page, doc, wasOf(page.key));
      expect(keysOf(docOf, page.key).size).toBeLessThan(2);
      checkConfig([page.key], docOf, wasOf);
    }
  },
);

describe('the address of an interface', () => {
  const wan = (ipaddr: string) => ({ name: 'w', port: 'eth0', link_type: 'shore', proto: 'static', ipaddr, gateway: '10.1.1.1' });
  const lan = (ipaddr: string) => ({ name: 'l', purpose: 'crew', ipaddr, ports: [{ port: 'eth1' }] });
  const pages: readonly (readonly [page: string, path: string, row: (ipaddr: string) => JsonObject])[] = [
    ['network_wan', 'ipaddr', (ipaddr) => ({ ...wan(ipaddr), down_bandwidth: 8, up_bandwidth: 8 })],
    ['network_lan', 'ipaddr', lan],
    ['network_lan', 'secondary[0].ipaddr', (ipaddr) => ({ ...lan('10.9.0.1/24'), secondary: [{ ipaddr }] })],
    ['network_vlan', 'ipaddr', (ipaddr) => ({ name: 'v', vlan_id: 2, parent: 'l', purpose: 'crew', ipaddr })],
  ];

  test.each(pages)('is a usable host address (%s %s)', (page, path, row) => {
    for (const good of ['10.1.1.2/24', '10.0.0.1/8', '10.1.1.1/30', '100.64.0.9/10', '223.255.255.254/24'])
      expect([good, problemsOf(page, { rows: [row(good)] })]).toEqual([good, []]);
    for (const bad of [
      ...['127.0.0.1/8', '224.0.0.1/24', '239.1.1.1/24', '240.0.0.1/24', '0.0.0.1/8', '255.255.255.254/24'],
      ...['10.1.1.0/24', '192.168.10.255/24', '10.1.1.3/30'],
      ...['10.1.1.1/0', '10.1.1.1/7', '10.1.1.1/31', '10.1.1.1/32'],
    ])
      expect([bad, problemsOf(page, { rows: [row(bad)] })]).toEqual([bad, [`rows[0].${path}`]]);
  });

  test('is checked in guides too, and a destination may still be a network', () => {
    const guide = (values: JsonObject) =>
      readFields(gatewayPages.get('guide_quick_setup')?.fields ?? {}, { wan_proto: 'static', ...values }).problems.map(({ path }) => path);
    expect(guide({ wan_ipaddr: '127.0.0.1/8', lan_ipaddr: '10.0.0.0/24' })).toEqual(expect.arrayContaining(['wan_ipaddr', 'lan_ipaddr']));
    expect(guide({ wan_ipaddr: '10.1.0.2/24', lan_ipaddr: '10.0.0.1/24' })).not.toEqual(expect.arrayContaining(['wan_ipaddr']));
    const route = (destination: string) => problemsOf('network_static_route', { rows: [{ name: 'r', destination, interface: 'l' }] });
    for (const destination of ['0.0.0.0/0', '10.0.0.0/8', '10.0.0.7/32']) expect(route(destination)).toEqual([]);
  });
});

test('a lease and a cloned MAC belong to one device', () => {
  const lease = (mac: string) => problemsOf('network_dhcp_static', { rows: [{ mac, ip: '10.0.0.9', interface: 'lan' }] });
  expect(lease('02:00:00:00:00:0a')).toEqual([]);
  for (const group of ['ff:ff:ff:ff:ff:ff', '01:00:5e:00:00:01', 'A3:00:00:00:00:01']) expect(lease(group)).toEqual(['rows[0].mac']);
  const wan = { name: 'w', port: 'eth0', link_type: 'shore', proto: 'dhcp', down_bandwidth: 8, up_bandwidth: 8 };
  expect(problemsOf('network_wan', { rows: [{ ...wan, mac_clone: '02:00:00:00:00:0a' }] })).toEqual([]);
  expect(problemsOf('network_wan', { rows: [{ ...wan, mac_clone: 'ff:ff:ff:ff:ff:ff' }] })).toEqual(['rows[0].mac_clone']);
});

test('an SSID has at most 32 bytes', () => {
  const ssid = (text: string) => problemsOf('ac_ssid', { rows: [{ name: 's', ssid: text, security: 'open' }] });
  for (const good of ['x'.repeat(32), '船'.repeat(10), `${'船'.repeat(10)}ab`]) expect(ssid(good)).toEqual([]);
  for (const bad of ['船'.repeat(32), '船'.repeat(11), '🛰'.repeat(9)]) expect(ssid(bad)).toEqual(['rows[0].ssid']);
  const guide = gatewayPages.get('guide_wifi_portal')?.fields ?? {};
  expect(readFields(guide, { ssid: '船'.repeat(11) }).problems.map(({ path }) => path)).toContain('ssid');
});

const lists = [...gatewayPages.values()].filter(({ kind }) => kind === 'list');
const milliseconds = (work: () => void) => {
  const start = process.cpuUsage();
  work();
  const { user } = process.cpuUsage(start);
  return user / 1000;
};

test.each(lists.map((page): [string, GatewayPage] => [page.key, page]))('%s refuses too many rows without reading them', (_, page) => {
  const rows = Array<JsonObject>((page.maxRows ?? 0) + 200_000).fill({});
  let paths: string[] = [];
  const spent = milliseconds(() => {
    paths = readDocument(page, { rows }).problems.map(({ path }) => path);
  });
  expect(paths).toEqual(['rows']);
  expect(spent).toBeLessThan(1500);
});

test('a full list of faulty rows is checked in linear time', () => {
  const page = gatewayPages.get('defense_blacklist');
  if (!page) throw new Error('no such page');
  let count = 0;
  const spent = milliseconds(() => {
    count = readDocument(page, { rows: Array<JsonObject>(page.maxRows ?? 0).fill({}) }).problems.length;
  });
  expect(count).toBeGreaterThanOrEqual(page.maxRows ?? 0);
  expect(spent).toBeLessThan(3000);
});

test('a full list of large polygons is checked quickly', () => {
  // Long thin edges side by side: all bounding boxes overlap, no edges cross.
  const comb = Array.from({ length: 198 }, (_, i): Point => [i / 100 + (i % 2) * 5, (i % 2) * 5]);
  const coverage: Point[] = [...comb, [10, 5], [10, -1]];
  const rows = Array.from({ length: 256 }, (_, i) => ({ name: `beam${i}`, beam_id: i + 1, coverage }));
  const docOf = (section: string) => (section === 'satellite_route_beam' ? { rows } : (factoryDocs.get(section) ?? {}));
  expect(milliseconds(() => checkConfig(['satellite_route_beam'], docOf, docOf))).toBeLessThan(5000);
});
