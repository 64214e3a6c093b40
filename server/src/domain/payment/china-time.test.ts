import { expect, test } from 'vitest';
import { chinaTime, fromChinaTime, rfc3339 } from './china-time.ts';

test('times are in the Beijing time zone, independent of the server', () => {
  expect(chinaTime(1_760_000_000)).toBe('2025-10-09 16:53:20');
  expect(rfc3339(1_760_000_000)).toBe('2025-10-09T16:53:20+08:00');
  expect(fromChinaTime('2025-10-09 16:53:20')).toBe(1_760_000_000);
  expect(fromChinaTime('yesterday')).toBeNaN();
});
