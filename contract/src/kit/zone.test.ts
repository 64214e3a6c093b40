import { afterEach, expect, it, vi } from 'vitest';
import { dayEnd, dayStart, zonedTime } from './zone.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  ['America/New_York', 300],
  ['UTC', 0],
  ['Pacific/Kiritimati', -840],
])('days begin and end at midnight of UTC+8 on a machine in %s', (zone, offset) => {
  const lateInNewYork = Date.UTC(2026, 10, 30, 16, 30) / 1000;
  vi.stubEnv('TZ', zone);
  expect(new Date(lateInNewYork * 1000).getTimezoneOffset()).toBe(offset);
  expect(zonedTime(lateInNewYork)).toBe('2026-12-01 00:30:00');
  expect(zonedTime(dayStart(lateInNewYork))).toBe('2026-12-01 00:00:00');
  expect(zonedTime(dayEnd(lateInNewYork))).toBe('2026-12-01 23:59:59');
});
