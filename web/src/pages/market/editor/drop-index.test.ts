import { expect, test } from 'vitest';
import { dropIndex, edgeScroll } from './drop-index.ts';

const rows = [0, 40, 80, 120].map((top) => ({ top, height: 40 }));

test.each([
  ['above all', 2, -10, 0],
  ['below all', 1, 500, 3],
  ['on itself', 1, 60, 1],
  ['just past the next middle', 1, 101, 2],
  ['just before the next middle', 1, 99, 1],
  ['just above the previous middle', 2, 59, 1],
])('a row dropped %s gets the index of that position', (_, from, y, to) => {
  expect(dropIndex(rows, from, y)).toBe(to);
});

test('the list scrolls only near its edges', () => {
  const box = { top: 100, height: 300 };
  expect(edgeScroll(box, 250)).toBe(0);
  expect(edgeScroll(box, 110)).toBeLessThan(0);
  expect(edgeScroll(box, 395)).toBeGreaterThan(0);
});
