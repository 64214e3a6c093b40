import { expect, test } from 'vitest';
import { perMinute } from './per-minute.ts';

test('one address may try so often a minute, another by itself, and both again in the next', () => {
  let at = 0;
  const may = perMinute(2, () => at);
  expect(['a', 'a', 'a', 'b', 'a'].map(may)).toEqual([true, true, false, true, false]);
  at = 59_999;
  expect(may('a')).toBe(false);
  at = 60_000;
  expect(may('a')).toBe(true);
});
