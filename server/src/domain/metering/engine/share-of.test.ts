import { expect, it } from 'vitest';
import { shareOf } from './quota.ts';

it('rounds down', () => {
  expect(shareOf(10, 2, 3)).toBe(6);
});

it('is exact for five terabytes in a day, where a floating product would give one byte too many', () => {
  expect(shareOf(5_642_527_314_234, 74_882, 86_400)).toBe(4_890_320_953_060);
  expect(Math.floor((5_642_527_314_234 * 74_882) / 86_400)).toBe(4_890_320_953_061);
});
