import { expect, it } from 'vitest';
import { bytesText, durationText, rateText, spanText, speedText, toBytes, toSeconds } from './units.ts';

it('sizes are 1024-based and short', () => {
  expect([0, 1023, 1024, 1536, 5 * 1024 ** 3, 3 * 1024 ** 4].map(bytesText)).toEqual(['0 B', '1023 B', '1 KB', '1.5 KB', '5 GB', '3 TB']);
  expect(toBytes(2, 'GB')).toBe(2_147_483_648);
});

it('rounds an amount of bytes to hundredths, half up', () => {
  const rounded = (bytes: number) => {
    const unit = bytes === 0 ? 0 : Math.min(5, Math.floor(Math.log2(bytes) / 10));
    return `${Number((bytes / 1024 ** unit).toFixed(2))} ${['B', 'KB', 'MB', 'GB', 'TB', 'PB'][unit]}`;
  };
  // A multiple of an eighth of a unit has ties: 1.125 KB is shown as 1.13 KB.
  const ties = Array.from({ length: 4000 }, (_, n) => [128 * n, 131_072 * n, 2 ** 27 * n, 2 ** 37 * n]).flat();
  const odd = Array.from({ length: 4000 }, (_, n) => Math.floor(1.0101 ** (n % 3600) * (1 + n)));
  for (const bytes of [...ties, ...odd, 2 ** 46 - 1, 2 ** 46, 2 ** 53 - 1]) expect(bytesText(bytes)).toBe(rounded(bytes));
});

it('durations omit parts that are zero', () => {
  expect(durationText(90_061)).toEqual(['1天1小时1分1秒', '1d 1h 1m 1s']);
  expect(durationText(7200)).toEqual(['2小时', '2h']);
  expect(durationText(0)).toEqual(['0秒', '0s']);
  expect(toSeconds(2, 'day')).toBe(172_800);
});

it('spans show their two largest units', () => {
  expect(spanText(3 * 86_400 + 9 * 3600 + 49 * 60 + 9)).toEqual(['3天9小时', '3 days 9 hours']);
  expect(spanText(86_400 + 59)).toEqual(['1天', '1 day']);
  expect(spanText(3660)).toEqual(['1小时1分钟', '1 hour 1 minute']);
  expect([spanText(59), spanText(0)]).toEqual([
    ['不足1分钟', 'under a minute'],
    ['0分钟', '0 minutes'],
  ]);
});

it('a speed of zero means unlimited', () => {
  expect(speedText(0)[1]).toBe('Unlimited');
  expect([speedText(16)[0], speedText(512)[1]]).toEqual(['128 kbps', '4.096 Mbps']);
});

it('a rate is shown in bits per second', () => {
  expect([0, 999, 1000, 1536, 100_000].map(rateText)).toEqual(['0 kbps', '999 kbps', '1 Mbps', '1.536 Mbps', '100 Mbps']);
});
