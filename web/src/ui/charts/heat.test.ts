import { dayStart } from '@farlink/contract/kit/zone.ts';
import { expect, test } from 'vitest';
import { heatLevel, heatRows } from './heat.ts';

const midnight = dayStart(1_800_000_000);

test('hours are in the row of their day, and hours outside the range are empty', () => {
  const rows = heatRows(midnight + 22 * 3600, [1, 2, 3]);
  expect(rows.map(({ day }) => day)).toEqual([midnight, midnight + 86_400]);
  expect(rows[0]?.hours.slice(21)).toEqual([undefined, 1, 2]);
  expect(rows[1]?.hours.slice(0, 2)).toEqual([3, undefined]);
});

test('a color level is a share of the maximum, and 0 for zero and missing values', () => {
  expect([heatLevel(undefined, 10), heatLevel(0, 10), heatLevel(0.1, 10), heatLevel(5, 10), heatLevel(10, 10)]).toEqual([0, 0, 1, 3, 5]);
});
