import { expect, test } from 'vitest';
import { cents, shareOf, yuan } from './money.ts';

test.each([
  ['0.00', 0n],
  ['12.3', 1230n],
  ['12.34', 1234n],
  ['-0.05', -5n],
  ['99999999999999.99', 9_999_999_999_999_999n],
])('converts %s yuan to %s cents and back', (text, amount) => {
  expect(cents(text)).toBe(amount);
  expect(cents(yuan(amount))).toBe(amount);
});

test.each(['', '1.234', '1,00', 'NaN', '1e3', ' 1'])('refuses %j as an amount', (text) => {
  expect(() => cents(text)).toThrow(RangeError);
});

test('a share is rounded down to a whole cent', () => {
  expect(shareOf(1000n, 1n, 3n)).toBe(333n);
  expect(shareOf(1000n, 0n, 0n)).toBe(0n);
});
