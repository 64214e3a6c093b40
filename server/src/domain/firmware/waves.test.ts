import { expect, it } from 'vitest';
import { isTooMany, wavesOf } from './waves.ts';

it('starts with one device, continues with a tenth, ends with the rest', () => {
  expect(wavesOf(1)).toEqual([1]);
  expect(wavesOf(2)).toEqual([1, 1]);
  expect(wavesOf(3)).toEqual([1, 1, 1]);
  expect(wavesOf(11)).toEqual([1, 2, 8]);
  expect(wavesOf(100)).toEqual([1, 10, 89]);
  expect(wavesOf(500)).toEqual([1, 50, 449]);
});

it('puts every device into exactly one wave', () => {
  for (let n = 0; n <= 500; n++) expect(wavesOf(n).reduce((sum, size) => sum + size, 0)).toBe(n);
});

it('stops when more than a fifth of a wave has failed', () => {
  expect(isTooMany(1, 1)).toBe(true);
  expect(isTooMany(1, 4)).toBe(true);
  expect(isTooMany(1, 5)).toBe(false);
  expect(isTooMany(2, 5)).toBe(true);
  expect(isTooMany(18, 90)).toBe(false);
  expect(isTooMany(19, 90)).toBe(true);
  expect(isTooMany(0, 1)).toBe(false);
});
