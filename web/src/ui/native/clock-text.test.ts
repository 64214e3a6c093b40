import { expect, test } from 'vitest';
import { clockPlus, clockText } from './clock-text.ts';

test('a time of day is read as people type it', () => {
  expect(['830', '8:30', '08:30', '8.30', ' 8：30 ', '2359'].map(clockText)).toEqual([
    '08:30',
    '08:30',
    '08:30',
    '08:30',
    '08:30',
    '23:59',
  ]);
});

test('what is no time of day stays as it was typed', () => {
  expect(['25:00', '8:60', 'noon', ''].map(clockText)).toEqual(['25:00', '8:60', 'noon', '']);
});

test('the arrows go round the clock', () => {
  expect(clockPlus('23:50', 15)).toBe('00:05');
  expect(clockPlus('00:00', -1)).toBe('23:59');
  expect(clockPlus('soon', 5)).toBe('soon');
});
