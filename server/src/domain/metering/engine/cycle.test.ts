import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naiveBoundary } from '../../../../test/metering/naive-cycle.ts';
import { cycleIndex, cycleStart } from './cycle.ts';
import type { Cycle, CycleUnit } from './types.ts';

const china = (text: string) => Date.parse(`${text.replace(' ', 'T')}+08:00`) / 1000;
const each = (unit: CycleUnit, length = 1): Cycle => ({ unit, length, quota: 1 });
const starts = (anchor: string, cycle: Cycle, count: number) =>
  Array.from({ length: count }, (_, index) =>
    new Date((cycleStart(china(anchor), cycle, index) + 8 * 3600) * 1000).toISOString().slice(0, 16).replace('T', ' '),
  );

describe('hours, days and weeks', () => {
  it('count exact seconds from activation, not from midnight or Monday', () => {
    expect(starts('2026-01-15 13:37:00', each('hour', 6), 3)).toEqual(['2026-01-15 13:37', '2026-01-15 19:37', '2026-01-16 01:37']);
    expect(starts('2026-01-15 13:37:00', each('day', 10), 3)).toEqual(['2026-01-15 13:37', '2026-01-25 13:37', '2026-02-04 13:37']);
    expect(starts('2026-01-15 13:37:00', each('week'), 2)).toEqual(['2026-01-15 13:37', '2026-01-22 13:37']);
  });

  it('ignore the daylight saving time of other countries', () => {
    const anchor = china('2026-03-28 12:00:00');
    expect(cycleStart(anchor, each('day'), 2) - anchor).toBe(2 * 86_400);
  });
});

describe('months', () => {
  it('clamp the 31st to the end of a shorter month and return to it', () => {
    const expected = ['2026-01-31 08:00', '2026-02-28 08:00', '2026-03-31 08:00', '2026-04-30 08:00', '2026-05-31 08:00'];
    expect(starts('2026-01-31 08:00:00', each('month'), 5)).toEqual(expected);
  });

  it('give February its 29th day in a leap year only', () => {
    expect(starts('2028-01-30 00:00:00', each('month'), 3)).toEqual(['2028-01-30 00:00', '2028-02-29 00:00', '2028-03-30 00:00']);
    expect(starts('2028-02-29 00:00:00', each('month', 12), 5)).toEqual(
      ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'].map((date) => `${date} 00:00`),
    );
    expect(starts('2100-01-31 00:00:00', each('month'), 2)[1]).toBe('2100-02-28 00:00');
  });

  it('follow the calendar of UTC+8, not of UTC', () => {
    const anchor = china('2026-03-01 00:30:00');
    expect(cycleStart(anchor, each('month'), 1)).toBe(Date.UTC(2026, 2, 31, 16, 30) / 1000);
  });

  it('run across the end of the year', () => {
    expect(starts('2025-11-30 23:59:59', each('month', 3), 3)).toEqual(['2025-11-30 23:59', '2026-02-28 23:59', '2026-05-30 23:59']);
  });
});

it('assigns the first second to the new cycle and the second before it to the previous one', () => {
  const anchor = china('2026-01-31 08:00:00');
  const march = china('2026-03-31 08:00:00');
  expect(cycleIndex(anchor, each('month'), march - 1)).toBe(1);
  expect(cycleIndex(anchor, each('month'), march)).toBe(2);
});

it('agrees with a simple calendar calculation, for any anchor, cycle and number', () => {
  const anchors = fc.integer({ min: china('2000-01-01 00:00:00'), max: china('2110-01-01 00:00:00') });
  const units = fc.constantFrom<CycleUnit>('hour', 'day', 'week', 'month', 'month', 'month');
  fc.assert(
    fc.property(anchors, units, fc.integer({ min: 1, max: 24 }), fc.nat(60), (anchor, unit, length, index) => {
      const cycle = each(unit, length);
      const [start, next] = [index, index + 1].map((k) => naiveBoundary(anchor, cycle, k));
      expect([cycleStart(anchor, cycle, index), cycleStart(anchor, cycle, index + 1)]).toEqual([start, next]);
      expect([start, (next ?? 0) - 1, next].map((at) => cycleIndex(anchor, cycle, at ?? 0))).toEqual([index, index, index + 1]);
    }),
    { numRuns: 2000 },
  );
});
