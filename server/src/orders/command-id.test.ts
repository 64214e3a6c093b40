import { expect, it } from 'vitest';
import { newCommandId } from './command.ts';

it('gives ids in the order of time, also within a millisecond', () => {
  const start = 1_795_000_000_000_000;
  const ids = Array.from({ length: 5000 }, (_, i) => newCommandId(start + i));
  expect(ids.toSorted()).toEqual(ids);
});

it('gives different ids at the same time, always 12 digits', () => {
  const ids = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 50].flatMap((at) => Array.from({ length: 50 }, () => newCommandId(at)));
  expect(new Set(ids).size).toBeGreaterThan(245);
  expect(ids.filter((id) => !/^[0-9a-f]{12}$/.test(id))).toEqual([]);
});
