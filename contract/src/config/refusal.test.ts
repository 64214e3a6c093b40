import { expect, test } from 'vitest';
import { readRefusal, refusalText } from './refusal.ts';

test('finds a refused field at any depth', () => {
  expect(readRefusal('E_FIELD network_wan.rows[0].mtu: A whole number from 576 to 1500')).toEqual({
    kind: 'field',
    page: 'network_wan',
    path: 'rows[0].mtu',
    text: 'A whole number from 576 to 1500',
  });
  expect(readRefusal('E_FILE vpn_certificate.rows[0].cert_file: not found')).toMatchObject({ kind: 'field', path: 'rows[0].cert_file' });
  expect(readRefusal('E_FIELD network_dns.mode: no: never')).toMatchObject({ page: 'network_dns', path: 'mode', text: 'no: never' });
});

test('reads the page together with which a page was refused', () => {
  expect(readRefusal('E_SET refused with network_wan')).toEqual({ kind: 'with', page: 'network_wan' });
});

test('reads after how many seconds a gateway rolled back', () => {
  expect(readRefusal('E_LOST rolled back after 90 s')).toEqual({ kind: 'lost', seconds: 90 });
  expect(readRefusal('E_LOST')).toEqual({ kind: 'lost', seconds: null });
});

test('recognizes that a gateway accepts no configuration', () => {
  expect(readRefusal('E_DENIED configuration from the platform is not accepted here')).toEqual({ kind: 'denied' });
});

test('separates the code of the protocol from the detail after it', () => {
  expect(readRefusal('E_APPLY refused')).toEqual({ kind: 'coded', code: 'E_APPLY', text: 'refused' });
  expect(readRefusal('E_FETCH HTTP 404: gone')).toEqual({ kind: 'coded', code: 'E_FETCH', text: 'HTTP 404: gone' });
  expect(readRefusal('E_HASH')).toEqual({ kind: 'coded', code: 'E_HASH', text: '' });
});

test('returns any other reason unchanged', () => {
  expect(readRefusal('E_OWN mind')).toEqual({ kind: 'other', text: 'E_OWN mind' });
});

test('shows each kind of reason as Chinese and English text', () => {
  const titleOf = (page: string) => (page === 'network_wan' ? (['WAN设置', 'WAN'] as const) : ([page, page] as const));
  const refusalOf = (err: string) => refusalText(readRefusal(err), titleOf);
  expect(refusalOf('E_LOST rolled back after 90 s')[0]).toBe('下发后 1分30秒内未能恢复连接，网关已自动回退');
  expect(refusalOf('E_SET refused with network_wan')).toEqual([
    '与“WAN设置”一同被拒绝，均未生效',
    'Refused together with WAN; none took effect',
  ]);
  expect(refusalOf('E_FETCH HTTP 404')[0]).toBe('网关未能下载配置内容：HTTP 404');
  expect(refusalOf('E_HASH')[1]).toBe('The gateway received content with a wrong checksum');
  expect(refusalOf('E_FIELD network_wan.rows[0].mtu: too much')).toEqual(['WAN设置：too much', 'WAN: too much']);
  expect(refusalOf('E_DENIED configuration from the platform is not accepted here')).toEqual([
    '网关已关闭“接受平台下发配置”，须在网关本地开启',
    '"Accept configuration from the platform" is off. Turn it on at the gateway.',
  ]);
  expect(refusalOf('E_OWN mind')).toEqual(['E_OWN mind', 'E_OWN mind']);
});
