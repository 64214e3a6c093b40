import { describe, expect, it } from 'vitest';
import type { Track } from '../../db/column-types.ts';
import { countUsage } from './count-usage.ts';
import { report } from './test/fixture.ts';
import type { Report } from './types.ts';

const gains = (...reports: Report[]) => {
  let tracks: readonly Track[] = [];
  return reports.map((each) => {
    const result = countUsage(tracks, each);
    tracks = result.tracks;
    return result.gain.bytes;
  });
};
const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

describe('counting reported usage', () => {
  it('adds differences of absolute counters, up and down together', () => {
    expect(gains(report(1, 10, 1, { up: 5 }), report(2, 30, 2, { up: 6 }))).toEqual([15, 21]);
  });

  it('adds nothing for a repeated report', () => {
    expect(gains(report(1, 10), report(2, 30), report(2, 30), report(1, 10))).toEqual([10, 20, 0, 0]);
  });

  it('adds nothing for a report that arrives after a newer one', () => {
    expect(gains(report(3, 60), report(1, 10), report(2, 30))).toEqual([60, 0, 0]);
  });

  it('counts each boot and session separately, so a late report of the last boot still counts', () => {
    const rebooted = { boot: 2 };
    expect(gains(report(1, 100), report(3, 7, 1, rebooted), report(2, 150), report(4, 9, 2, rebooted))).toEqual([100, 7, 50, 2]);
    expect(gains(report(1, 100), report(1, 100, 1, { session: 's2' }))).toEqual([100, 100]);
  });

  it('treats a counter that falls within a boot as restarted from zero', () => {
    expect(gains(report(1, 100), report(2, 30), report(3, 50))).toEqual([100, 30, 20]);
  });

  it('treats all counters as restarted when one of them falls', () => {
    expect(gains(report(1, 100, 50), report(2, 120, 10))).toEqual([100, 120]);
  });

  it('detects a fall of the up or down counter, even if the sum grows', () => {
    expect(gains(report(1, 10, 1, { up: 10 }), report(2, 50, 2, { up: 5 }))).toEqual([20, 55]);
    expect(gains(report(1, 10, 1, { up: 10 }), report(2, 5, 2, { up: 50 }))).toEqual([20, 55]);
  });

  it('gives the same sum in every order, even around an unannounced restart of the counter', () => {
    const [a, b, c] = [report(1, 100), report(2, 30), report(3, 120)];
    for (const order of [
      [a, b, c],
      [a, c, b],
      [b, a, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ])
      expect(sum(gains(...order))).toBe(220);
  });

  it('adds nothing for a repeated old report, even from before a restart of the counter', () => {
    const afterFall = Array.from({ length: 8 }, (_, i) => report(i + 2, (i + 1) * 10));
    expect(sum(gains(report(1, 100), ...afterFall, report(1, 100)))).toBe(180);
  });

  it('refuses values that are not counts', () => {
    for (const bad of [-1, 0.5, Number.NaN, Infinity, 2 ** 53]) expect(() => countUsage([], report(1, bad))).toThrow(RangeError);
  });

  it('counts a session with the name __proto__ correctly', () => {
    expect(gains(report(1, 5, 1, { session: '__proto__' }), report(2, 7, 2, { session: '__proto__' }))).toEqual([5, 2]);
  });
});
