import { limits } from '@farlink/contract/limits.ts';

/** One device first, then a tenth, then the rest, so that a bad version affects few devices. */
export const wavesOf = (devices: number): readonly number[] => {
  if (devices <= 1) return devices === 1 ? [1] : [];
  const second = Math.min(devices - 1, Math.ceil(devices / 10));
  const rest = devices - 1 - second;
  return rest > 0 ? [1, second, rest] : [1, second];
};

/** True if the failures of a wave stop the campaign. */
export const isTooMany = (failed: number, size: number) => failed * 100 > size * limits.upgradeFailPercent;
