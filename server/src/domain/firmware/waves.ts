import { limits } from '@farlink/contract/limits.ts';

/** One device first, then a tenth of all, then the rest: what goes wrong goes wrong at few. */
export const wavesOf = (devices: number): readonly number[] => {
  if (devices <= 1) return devices === 1 ? [1] : [];
  const second = Math.min(devices - 1, Math.ceil(devices / 10));
  const rest = devices - 1 - second;
  return rest > 0 ? [1, second, rest] : [1, second];
};

/** Whether so many failures of a wave stop the rest. */
export const isTooMany = (failed: number, size: number) => failed * 100 > size * limits.upgradeFailPercent;
