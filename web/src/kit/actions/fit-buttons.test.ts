import { expect, test } from 'vitest';
import { countThatFit } from './fit-buttons.ts';

const labels = ['开户', '批量开户', '启用/禁用', '重置密码', '充值', '订购加油包', '变更套餐'];

test('all buttons stand in line where there is room', () => {
  expect(countThatFit(labels, 2000)).toBe(labels.length);
  expect(countThatFit([], 0)).toBe(0);
});

test('fewer stand in line the less room there is, and one always does', () => {
  const counts = [900, 600, 400, 200, 0].map((room) => countThatFit(labels, room));
  expect(counts).toEqual([...counts].sort((a, b) => b - a));
  expect(counts.at(-1)).toBe(1);
});

test('the button for the rest has its place among them', () => {
  const room = 400;
  const alone = countThatFit(labels.slice(0, countThatFit(labels, room)), room);
  expect(countThatFit(labels, room)).toBeLessThanOrEqual(alone);
});
