import { expect, test } from 'vitest';
import { gatewayPages } from '../menu.ts';
import type { Json, JsonObject } from '../protocol/shape.ts';
import { checkConfig, factoryDocs, keysOf } from './config.ts';
import { differences } from './difference.ts';
import { mapSecrets, readDocument } from './document.ts';
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
