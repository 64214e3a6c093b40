import { expect, test } from 'vitest';
import { niceStep, short, ticksOf } from './chart.tsx';

test('a scale has steps of 1, 2 or 5 and covers all values, including negative ones', () => {
  expect(ticksOf(0, 870)).toEqual([0, 500, 1000]);
  expect(ticksOf(-160, 300)).toEqual([-200, 0, 200, 400]);
  expect(ticksOf(0, 0)).toEqual([0]);
  expect(niceStep(38_000)).toBe(10_000);
});

test('labels of an axis are short', () => {
  expect([0, 950, 1500, -20_000, 150_000_000, 2_500_000_000].map(short)).toEqual(['0', '950', '1.5k', '-20k', '150M', '2.5B']);
});
