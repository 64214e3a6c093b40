import { expect, test } from 'vitest';
import { niceStep, ticksOf } from './chart.tsx';

test('a scale has steps of 1, 2 or 5 and covers all values, including negative ones', () => {
  expect(ticksOf(0, 870)).toEqual([0, 500, 1000]);
  expect(ticksOf(-160, 300)).toEqual([-200, 0, 200, 400]);
  expect(ticksOf(0, 0)).toEqual([0]);
  expect(niceStep(38_000)).toBe(10_000);
});
