import { expect, it } from 'vitest';
import { KeptFigures } from './kept-figures.ts';

const count = (isLarge = true) => {
  const figures = new KeptFigures<number>(() => isLarge);
  let reads = 0;
  const at = (now: number, scope = 'vno') => figures.get({ scope, now, read: async () => ++reads });
  return { at, reads: () => reads };
};

it('reads the figures of a scope once in ten seconds', async () => {
  const { at, reads } = count();
  expect([await at(0), await at(9), await at(9, 'other'), await at(9)]).toEqual([1, 1, 2, 1]);
  expect(reads()).toBe(2);
});

it('returns older figures once more while it reads them again', async () => {
  const { at, reads } = count();
  await at(0);
  expect([await at(11), await at(12)]).toEqual([1, 2]);
  expect(reads()).toBe(2);
});

it('waits for figures that are older than a minute', async () => {
  const { at } = count();
  await at(0);
  expect(await at(61)).toBe(2);
});

it('does not keep figures of a small scope', async () => {
  const { at } = count(false);
  expect([await at(0), await at(1)]).toEqual([1, 2]);
});

it('keeps the old figures if a refresh fails, and tells the caller', async () => {
  const figures = new KeptFigures<number>(() => true);
  const failures: unknown[] = [];
  const get = (now: number, read: () => Promise<number>) =>
    figures.get({ scope: 'vno', now, read, failed: (error) => failures.push(error) });
  await get(0, async () => 1);
  await get(11, async () => {
    throw new Error('no connection');
  });
  expect(await get(12, async () => 2)).toBe(1);
  expect(failures).toEqual([new Error('no connection')]);
});
