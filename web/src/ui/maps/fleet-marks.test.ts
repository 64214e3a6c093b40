import { expect, test } from 'vitest';
import { arcsOf, markSum } from './fleet-marks.ts';

const at = { lat: 0, lon: 0 };
const marks = [
  { ...at, state: 'online', count: 3 },
  { ...at, state: 'offline', count: 1 },
];

test('a ring has one arc for each state, in proportion to its share', () => {
  const arcs = arcsOf(marks, ['online', 'l_band', 'offline']);
  expect(arcs.map(({ state }) => state)).toEqual(['online', 'offline']);
  expect(arcs.map(({ from, to }) => (to - from) / (2 * Math.PI))).toEqual([0.75, 0.25]);
  expect(arcs[1]?.to).toBeCloseTo(1.5 * Math.PI);
});

test('the counts of marks are summed, and no marks give no arcs', () => {
  expect(markSum(marks)).toBe(4);
  expect(arcsOf([], ['online'])).toEqual([]);
});
