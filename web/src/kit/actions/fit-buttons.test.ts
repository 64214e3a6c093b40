import { expect, test } from 'vitest';
import { countThatFit } from './fit-buttons.ts';

const labels = ['开户', '批量开户', '启用/禁用', '重置密码', '充值', '订购加油包', '变更套餐'];

test('all buttons are in one line if they fit', () => {
  expect(countThatFit(labels, 2000)).toBe(labels.length);
  expect(countThatFit([], 0)).toBe(0);
});

test('fewer buttons are in line if the width is smaller, but at least one', () => {
  const counts = [900, 600, 400, 200, 0].map((width) => countThatFit(labels, width));
  expect(counts).toEqual([...counts].sort((a, b) => b - a));
  expect(counts.at(-1)).toBe(1);
});

test('space is reserved for the button of the remaining actions', () => {
  const width = 400;
  const shown = countThatFit(labels.slice(0, countThatFit(labels, width)), width);
  expect(countThatFit(labels, width)).toBeLessThanOrEqual(shown);
});
