import { expect, it } from 'vitest';
import { dayEnd, dayStart, zonedTime } from './zone.ts';

it('days begin and end at midnight of UTC+8', () => {
  const lateInNewYork = Date.UTC(2026, 10, 30, 16, 30) / 1000;
  expect(zonedTime(lateInNewYork)).toBe('2026-12-01 00:30:00');
  expect(zonedTime(dayStart(lateInNewYork))).toBe('2026-12-01 00:00:00');
  expect(zonedTime(dayEnd(lateInNewYork))).toBe('2026-12-01 23:59:59');
});
