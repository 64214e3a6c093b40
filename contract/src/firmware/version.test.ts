import { describe, expect, it } from 'vitest';
import { fullVersion, isNewer, versionKey } from './version.ts';

describe('a version', () => {
  it('is compared by numbers, not by characters', () => {
    expect(isNewer('10.0.0', '9.99.99')).toBe(true);
    expect(isNewer('1.10.0', '1.9.0')).toBe(true);
    expect(isNewer('1.2.10', '1.2.9')).toBe(true);
    expect(isNewer('1.2.9', '1.2.10')).toBe(false);
  });

  it('is the same with and without leading zeros', () => {
    expect(versionKey('3.2.1')).toBe(versionKey('03.02.01'));
    expect(isNewer('03.02.01', '3.2.1')).toBe(false);
  });

  it('has exactly three parts of one or two digits', () => {
    for (const wrong of ['', '1.2', '1.2.3.4', '100.0.0', '1.2.300', 'v1.2.3', '1.2.x', ' 1.2.3', undefined, null, 1.2])
      expect(versionKey(wrong), String(wrong)).toBeUndefined();
  });

  it('is stored with two digits in each part', () => {
    expect(fullVersion('3.2.10')).toBe('03.02.10');
    expect(fullVersion('03.02.10')).toBe('03.02.10');
  });

  it('is neither newer nor older than a missing version', () => {
    expect(isNewer('1.0.0', null)).toBe(false);
    expect(isNewer(undefined, '1.0.0')).toBe(false);
  });

  it('has a numeric key that preserves the order', () => {
    const rising = ['0.0.0', '0.0.99', '0.1.0', '0.99.99', '1.0.0', '99.99.99'].map(versionKey);
    expect(rising).toEqual([...rising].sort((a, b) => Number(a) - Number(b)));
    expect(new Set(rising).size).toBe(rising.length);
  });
});
