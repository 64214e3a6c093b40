import { expect, test } from 'vitest';
import { fromCents, toCents } from './money.ts';

test('amounts are converted between yuan and cents without rounding', () => {
  for (const [yuan, cents] of [
    ['0.00', 0],
    ['0.01', 1],
    ['0.29', 29],
    ['1.10', 110],
    ['4.35', 435],
    ['99999999999.99', 9_999_999_999_999],
  ] as const) {
    expect(toCents(yuan)).toBe(cents);
    expect(fromCents(cents)).toBe(yuan);
  }
});

test('a value that is not a valid amount is refused', () => {
  for (const wrong of ['1', '1.1', '1.100', '-1.00', '1e3', ' 1.00', '1,00', '', '100000000000.00'])
    expect(() => toCents(wrong)).toThrow(RangeError);
  for (const wrong of [-1, 0.5, Number.NaN, 2 ** 53]) expect(() => fromCents(wrong)).toThrow(RangeError);
});
