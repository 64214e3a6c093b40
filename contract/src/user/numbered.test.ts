import { expect, it } from 'vitest';
import { numberedAccount } from './numbered.ts';

it.each([
  ['EA', '0098', 0, 'EA0098'],
  ['EA', '0098', 4, 'EA0102'],
  ['', '98', 4, '102'],
  ['X', '999999999999', 1, 'X1000000000000'],
  ['X', '000', 19_999, 'X19999'],
])('prefix %s, start %s and offset %i give the account %s', (prefix, start, offset, account) => {
  expect(numberedAccount(prefix, start, offset)).toBe(account);
});
