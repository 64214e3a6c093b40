import { expect, test } from 'vitest';
import { clockPlus, clockText } from './clock-text.ts';

test('a time of day is parsed in common notations', () => {
  expect(['830', '8:30', '08:30', '8.30', ' 8：30 ', '2359'].map(clockText)).toEqual([
    '08:30',
    '08:30',
    '08:30',
    '08:30',
    '08:30',
    '23:59',
  ]);
});

test('text that is not a time of day is unchanged', () => {
  expect(['25:00', '8:60', 'noon', ''].map(clockText)).toEqual(['25:00', '8:60', 'noon', '']);
});

test('adding minutes wraps around midnight', () => {
  expect(clockPlus('23:50', 15)).toBe('00:05');
  expect(clockPlus('00:00', -1)).toBe('23:59');
  expect(clockPlus('soon', 5)).toBe('soon');
});
