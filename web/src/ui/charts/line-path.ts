import { zoneSeconds } from '@farlink/contract/kit/zone.ts';

interface Plane {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
}

const round = (n: number) => Math.round(n * 10) / 10;

/** SVG path through the points, broken at gaps longer than `gap`. A single point becomes a dot. */
export const linePath = (times: readonly number[], values: readonly (number | null)[], { x, y }: Plane, gap: number): string => {
  let path = '';
  let last: number | undefined;
  for (const [i, at] of times.entries()) {
    const value = values[i];
    if (value === null || value === undefined) continue;
    const isNew = last === undefined || at - last > gap;
    path += `${isNew ? 'M' : 'L'}${round(x(at))} ${round(y(value))}`;
    const next = times[i + 1];
    if (isNew && (next === undefined || next - at > gap)) path += 'h0.1';
    last = at;
  }
  return path;
};

/** Index of the nearest time in an ascending list. */
export const nearest = (times: readonly number[], at: number): number => {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const before = times[low - 1];
  return before !== undefined && at - before < (times[low] ?? before) - at ? low - 1 : low;
};

/** Median interval of the samples in seconds. */
export const medianStep = (times: readonly number[]): number => {
  const gaps = times.slice(1).map((at, i) => at - (times[i] ?? at));
  return gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
};

const steps = [60, 300, 600, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 1_209_600, 2_592_000, 5_184_000];

/** At most `maxTicks` round times in a range; aligned to days of the business time zone, so that midnight is included. */
export const timeTicks = (start: number, end: number, maxTicks: number): { readonly ticks: readonly number[]; readonly step: number } => {
  const range = Math.max(1, end - start);
  const step = steps.find((s) => range / s <= maxTicks) ?? range;
  const first = Math.ceil((start + zoneSeconds) / step) * step - zoneSeconds;
  return { ticks: Array.from({ length: Math.max(0, Math.floor((end - first) / step) + 1) }, (_, i) => first + i * step), step };
};
