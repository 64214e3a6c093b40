import { expect, test } from 'vitest';
import { pageNumbers } from './page-numbers.ts';

test.each([
  [1, 0, []],
  [1, 1, [1]],
  [2, 5, [1, 2, 3, 4, 5]],
  [1, 7, [1, 2, 3, 7]],
  [3, 7, [1, 2, 3, 4, 7]],
  [4, 7, [1, 3, 4, 5, 7]],
  [7, 7, [1, 5, 6, 7]],
])('page %i of %i shows %j', (current, last, shown) => {
  expect(pageNumbers(current, last)).toEqual(shown);
});
