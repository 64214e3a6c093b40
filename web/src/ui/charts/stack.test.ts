import { expect, test } from 'vitest';
import { areaPath, byteTicks, changeText, ordered, stackOf, stepPath, totalsOf } from './stack.ts';

const plane = { x: (i: number) => i * 10, y: (v: number) => 100 - v };

test('series are stacked on each other', () => {
  expect(
    stackOf([
      [1, 2],
      [3, 4],
    ]),
  ).toEqual([
    { low: [0, 0], high: [1, 2] },
    { low: [1, 2], high: [4, 6] },
  ]);
  expect(
    totalsOf([
      [1, 2],
      [3, 4],
    ]),
  ).toEqual([4, 6]);
  expect(stackOf([])).toEqual([]);
});

test('an area covers the whole interval of each value', () => {
  expect(areaPath({ low: [0, 0], high: [5, 10] }, plane)).toBe('M0 95H10L10 90H20L20 100H10L10 100H0Z');
  expect(areaPath({ low: [], high: [] }, plane)).toBe('');
  expect(stepPath([5, 10], plane)).toBe('M0 95H10L10 90H20');
});

test('a change is a percentage with its sign, and undefined without a previous value', () => {
  expect([changeText(150, 100), changeText(50, 100), changeText(100, 100), changeText(1, 0)]).toEqual(['+50%', '−50%', '±0%', undefined]);
});

test('a scale in bytes has round numbers of its unit', () => {
  expect(byteTicks(3 * 1024 ** 3)).toEqual([0, 1, 2, 3].map((n) => n * 1024 ** 3));
  expect(byteTicks(0)).toEqual(byteTicks(1));
});

test('a selection is ordered and limited to the chart', () => {
  expect([ordered(7, 3, 10), ordered(-2, 30, 10)]).toEqual([
    [3, 7],
    [0, 9],
  ]);
});
