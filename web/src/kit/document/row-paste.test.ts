import { networkIpGroup } from '@farlink/gateway/pages/network/ip-group.ts';
import { networkStaticRoute } from '@farlink/gateway/pages/network/static-route.ts';
import { networkTimeGroup } from '@farlink/gateway/pages/network/time-group.ts';
import { expect, test } from 'vitest';
import { cellsOf, readCell, readPaste } from './row-paste.ts';

test('reads tab-separated text and CSV', () => {
  expect(cellsOf('a\tb c\r\nd\t\n\n')).toEqual([
    ['a', 'b c'],
    ['d', ''],
  ]);
  expect(cellsOf('a,"b, ""c""\nd",e\n')).toEqual([['a', 'b, "c"\nd', 'e']]);
});

const { fields } = networkStaticRoute;

test('reads column headings in either language or as keys, and uses the given order without headings', () => {
  const zh = readPaste(fields, '名称\t目的网段\t?\nr1\t10.0.0.0/8\tx', ['name']);
  expect(zh.columns).toEqual(['name', 'destination', undefined]);
  expect(zh.rows).toEqual([['r1', '10.0.0.0/8', 'x']]);
  expect(readPaste(fields, 'Name,Metric\nr1,5', []).columns).toEqual(['name', 'metric']);
  expect(readPaste(fields, 'name,metric\nr1,5', []).columns).toEqual(['name', 'metric']);
  const bare = readPaste(fields, 'r1\t10.0.0.0/8', ['name', 'destination']);
  expect(bare).toEqual({ columns: ['name', 'destination'], heads: null, rows: [['r1', '10.0.0.0/8']] });
});

const cell = (field: (typeof fields)[string] | undefined, typed: string) => field && readCell(field, typed, refs);
const refs = { network_wan: [{ key: 'wan1', name: '卫星主链路' }], network_lan: [], network_vlan: [] };

test('converts texts to switches, choices, rows, weekdays, times, dates and lists', () => {
  expect(cell(fields.enabled, '是')).toBe(true);
  expect(cell(fields.enabled, 'off')).toBe(false);
  expect(cell(fields.route_type, '黑洞')).toBe('blackhole');
  expect(cell(fields.route_type, 'unicast')).toBe('unicast');
  expect(cell(fields.interface, '卫星主链路')).toBe('wan1');
  expect(cell(networkTimeGroup.fields.weekdays, '1-5')).toEqual([1, 2, 3, 4, 5]);
  expect(cell(networkTimeGroup.fields.start, '830')).toBe('08:30');
  expect(cell(networkTimeGroup.fields.valid_from, '2026-01-02')).toBeTypeOf('number');
  expect(cell(networkIpGroup.fields.addresses, '10.0.0.1; 10.0.0.2')).toEqual([{ address: '10.0.0.1' }, { address: '10.0.0.2' }]);
});

test('reads an empty cell as undefined and keeps unreadable text for validation', () => {
  expect(cell(fields.enabled, '')).toBeUndefined();
  expect(cell(fields.enabled, 'maybe')).toBe('maybe');
  expect(cell(fields.route_type, 'sideways')).toBe('sideways');
});
