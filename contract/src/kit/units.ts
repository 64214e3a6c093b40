import type { Text } from './text.ts';

/** spec §9: flow units are 1024-based; durations show days, hours, minutes and seconds; a speed of 0 is unlimited. */
const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Below this number of bytes, hundredths of any unit are exact in floating point, so they round as `toFixed` does. */
const exactBytes = 2 ** 46;

/** Hundredths with each unit, because an export writes millions of them: ' KB', '.01 KB', … '.99 KB'. */
const endings = units.map((unit) => Array.from({ length: 100 }, (_, n) => `${String(n / 100).slice(1)} ${unit}`));

export const bytesText = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const isExact = Number.isInteger(bytes) && bytes >= 0 && bytes < exactBytes;
  if (!isExact) return `${Number(value.toFixed(2))} ${units[unit]}`;
  const hundredths = Math.round(value * 100);
  const whole = Math.floor(hundredths / 100);
  return `${whole}${endings[unit]?.[hundredths - 100 * whole]}`;
};

const durationUnits: readonly [seconds: number, zh: string, en: string][] = [
  [86_400, '天', 'd'],
  [3600, '小时', 'h'],
  [60, '分', 'm'],
  [1, '秒', 's'],
];

export const durationText = (seconds: number): Text => {
  let left = Math.max(0, Math.floor(seconds));
  const [zh, en]: [string[], string[]] = [[], []];
  for (const [size, chinese, english] of durationUnits) {
    const n = Math.floor(left / size);
    left -= n * size;
    if (n === 0) continue;
    zh.push(`${n}${chinese}`);
    en.push(`${n}${english}`);
  }
  return zh.length === 0 ? ['0秒', '0s'] : [zh.join(''), en.join(' ')];
};

const spanUnits: readonly [seconds: number, zh: string, en: string][] = [
  [86_400, '天', 'day'],
  [3600, '小时', 'hour'],
  [60, '分钟', 'minute'],
];

/** A duration with its two largest units, such as 3 days 9 hours. */
export const spanText = (seconds: number): Text => {
  let left = Math.max(0, Math.floor(seconds));
  const found: { readonly n: number; readonly zh: string; readonly en: string }[] = [];
  for (const [size, zh, en] of spanUnits) {
    const n = Math.floor(left / size);
    left -= n * size;
    if (n > 0 || found.length > 0) found.push({ n, zh, en });
  }
  const shown = found.slice(0, 2).filter(({ n }) => n > 0);
  if (shown.length === 0) return seconds > 0 ? ['不足1分钟', 'under a minute'] : ['0分钟', '0 minutes'];
  return [shown.map(({ n, zh }) => `${n}${zh}`).join(''), shown.map(({ n, en }) => `${n} ${en}${n === 1 ? '' : 's'}`).join(' ')];
};

/** Wire and tables have KB/s; people and gateways use kilobits. */
export const kilobits = 8;

/** A rate in kbit/s. */
export const rateText = (rate: number): string => (rate < 1000 ? `${Math.round(rate)} kbps` : `${Number((rate / 1000).toFixed(3))} Mbps`);

/** A limit in KB/s. */
export const speedText = (kilobytes: number): Text => {
  const shown = rateText(kilobytes * kilobits);
  return kilobytes === 0 ? ['不限', 'Unlimited'] : [shown, shown];
};

/** A measured speed in KB/s; zero is zero. */
export const measuredText = (kilobytes: number): string =>
  kilobytes < 1024 ? `${Number(kilobytes.toFixed(1))} KB/s` : `${Number((kilobytes / 1024).toFixed(2))} MB/s`;

const sizes = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 } as const;
const spans = { minute: 60, hour: 3600, day: 86_400 } as const;
export type FlowUnit = keyof typeof sizes;
export type TimeUnit = keyof typeof spans;

export const toBytes = (amount: number, unit: FlowUnit) => amount * sizes[unit];
export const toSeconds = (amount: number, unit: TimeUnit) => amount * spans[unit];
