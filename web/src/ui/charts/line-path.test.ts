import { describe, expect, it } from 'vitest';
import { linePath, medianStep, nearest, timeTicks } from './line-path.ts';

const plane = { x: (at: number) => at, y: (value: number) => 100 - value };

describe('a line through samples', () => {
  it('has gaps where samples are missing, and shows a single sample', () => {
    expect(linePath([0, 10, 20], [1, 2, 3], plane, 15)).toBe('M0 99L10 98L20 97');
    expect(linePath([0, 10, 100], [1, 2, 3], plane, 15)).toBe('M0 99L10 98M100 97h0.1');
    expect(linePath([0, 10, 20], [1, null, 3], plane, 15)).toBe('M0 99M20 97h0.1');
    expect(linePath([], [], plane, 15)).toBe('');
  });

  it('has the usual interval of its samples, even with gaps', () => {
    expect(medianStep([0, 60, 120, 180, 7200, 7260])).toBe(60);
    expect([medianStep([]), medianStep([5])]).toEqual([0, 0]);
  });

  it('is read at the nearest sample', () => {
    const times = [0, 10, 30];
    expect([-5, 4, 6, 19, 21, 99].map((at) => nearest(times, at))).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it('has a limited number of time ticks at equal steps within its range', () => {
    for (const range of [600, 3600, 86_400, 7 * 86_400, 366 * 86_400]) {
      const { ticks, step } = timeTicks(1_700_000_123, 1_700_000_123 + range, 8);
      expect(ticks.length).toBeLessThanOrEqual(9);
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.every((t, i) => i === 0 || t - (ticks[i - 1] ?? 0) === step)).toBe(true);
      expect((ticks[0] ?? 0) >= 1_700_000_123 && (ticks.at(-1) ?? 0) <= 1_700_000_123 + range).toBe(true);
    }
  });
});
