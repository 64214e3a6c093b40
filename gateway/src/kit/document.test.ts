import { expect, test } from 'vitest';
import { gatewayPages } from '../menu.ts';
import type { JsonObject } from '../protocol/shape.ts';
import { readDocument } from './document.ts';

const problemsOf = (key: string, doc: JsonObject) => {
  const page = gatewayPages.get(key);
  return page ? readDocument(page, doc).problems.map(({ path }) => path) : ['no such page'];
};

test('a text is one line of whole characters; only what is long has several', () => {
  const remark = (text: string) =>
    problemsOf('network_ip_group', { rows: [{ name: 'a', addresses: [{ address: '10.0.0.1' }], remark: text }] });
  expect(remark('甲板 🛰 deck')).toEqual([]);
  for (const text of ['a\nb', 'a\u0000b', 'a\u2028b', 'a\ud800b', 'a\tb']) expect(remark(text)).toEqual(['rows[0].remark']);
  const raw = (content: string) =>
    problemsOf('hidden_raw_config', { operation: 'apply', package: 'network', content, reason: 'x', confirm: true });
  expect(raw('{\r\n\t"network_wan": {}\n}')).toEqual([]);
  expect(raw('a\u0000b')).toEqual(['content']);
});

test('a range of addresses does not run backwards, and has no part above 255', () => {
  const group = (address: string) => problemsOf('network_ip_group', { rows: [{ name: 'a', addresses: [{ address }] }] });
  for (const good of ['10.0.0.1', '10.0.0.0/8', '10.0.0.1-10.0.0.9', '10.0.0.1-10.0.0.1']) expect(group(good)).toEqual([]);
  for (const bad of ['10.0.0.9-10.0.0.1', '10.0.0.300', '300.0.0.0/8', '10.0.0.1-10.0.0.300', '10.0.0.1-'])
    expect(group(bad)).toEqual(['rows[0].addresses[0].address']);
});

test('a MAC is the same row in large and small letters', () => {
  const leases = (...macs: readonly string[]) =>
    problemsOf('network_dhcp_static', { rows: macs.map((mac, i) => ({ mac, ip: `10.0.0.${i + 1}`, interface: 'lan' })) });
  expect(leases('02:00:00:00:00:0a', '02:00:00:00:00:0b')).toEqual([]);
  expect(leases('02:00:00:00:00:0a', '02:00:00:00:00:0A')).toEqual(['rows[1].mac']);
});
