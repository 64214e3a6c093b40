import { expect, test } from 'vitest';
import { zonedTime } from '../kit/zone.ts';
import { limits } from '../limits.ts';
import { chartStep, periodOf, previousPeriod } from './period.ts';

const now = Date.UTC(2026, 2, 15, 4, 30) / 1000;
const shown = ({ start, end }: { readonly start: number; readonly end: number }) => [zonedTime(start), zonedTime(end)];

test('the default period is the last seven days', () => {
  expect(shown(periodOf('hour', {}, now))).toEqual(['2026-03-09 00:00:00', '2026-03-15 12:59:59']);
  expect(shown(periodOf('day', {}, now))).toEqual(['2026-03-09 00:00:00', '2026-03-15 23:59:59']);
});

test('a period consists of whole hours, days or months of UTC+8', () => {
  const range = { start: now - 3601, end: now };
  expect(shown(periodOf('hour', range, now))).toEqual(['2026-03-15 11:00:00', '2026-03-15 12:59:59']);
  expect(shown(periodOf('month', range, now))).toEqual(['2026-03-01 00:00:00', '2026-03-31 23:59:59']);
});

test('an open end is limited to three months', () => {
  expect(shown(periodOf('day', { start: now - 365 * 86_400 }, now))).toEqual(['2025-03-15 00:00:00', '2025-06-15 23:59:59']);
  expect(shown(periodOf('hour', { start: now - 7200 }, now))).toEqual(['2026-03-15 10:00:00', '2026-03-15 12:59:59']);
});

test('a chart of three months has at most 500 points', () => {
  const quarter = periodOf('hour', { start: now - 92 * 86_400, end: now }, now);
  const step = chartStep('hour', quarter);
  expect((quarter.end + 1 - quarter.start) / step).toBeLessThanOrEqual(limits.chartPoints);
  expect(step).toBe(6 * 3600);
  expect(chartStep('hour', periodOf('hour', {}, now))).toBe(3600);
});

test('the previous period is earlier by whole days and has the same times of day', () => {
  expect(shown(previousPeriod('hour', periodOf('hour', {}, now)))).toEqual(['2026-03-02 00:00:00', '2026-03-08 12:59:59']);
  expect(shown(previousPeriod('hour', periodOf('hour', { start: now - 7200, end: now }, now)))).toEqual([
    '2026-03-14 10:00:00',
    '2026-03-14 12:59:59',
  ]);
  expect(shown(previousPeriod('day', periodOf('day', {}, now)))).toEqual(['2026-03-02 00:00:00', '2026-03-08 23:59:59']);
});

test('whole months are compared with the same number of months before', () => {
  const months = periodOf('month', { start: now - 40 * 86_400, end: now }, now);
  expect(shown(previousPeriod('month', months))).toEqual(['2025-12-01 00:00:00', '2026-01-31 23:59:59']);
});
