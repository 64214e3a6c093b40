import { expect, test } from 'vitest';
import { everyDay, totalOf } from './income-days.ts';

const at = (text: string) => Date.parse(text) / 1000;
const one = { label: '2026-03-02', income: '10.10', net_income: '-0.20' };

test('days without income are included, by the calendar of UTC+8', () => {
  const days = everyDay([one], at('2026-03-01T00:00:00+08:00'), at('2026-03-03T23:59:59+08:00'));
  expect(days.map((d) => d.label)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
  expect(days[1]).toBe(one);
  expect(days[2]).toEqual({ label: '2026-03-03', income: '0.00', net_income: '0.00' });
});

test('a range of one second is one day', () => {
  const noon = at('2026-03-02T12:00:00+08:00');
  expect(everyDay([], noon, noon)).toHaveLength(1);
});

test('totals are exact', () => {
  const tenths = Array.from({ length: 10 }, () => ({ label: '', income: '0.10', net_income: '-0.01' }));
  expect([totalOf(tenths, 'income'), totalOf(tenths, 'net_income')]).toEqual([100n, -10n]);
});
