import { dayEnd, dayStart, monthStart, zoneSeconds } from '../kit/zone.ts';
import { limits } from '../limits.ts';
import type { StatBy } from './choices.ts';

const hour = 3600;
const day = 86_400;

export interface Period {
  readonly start: number;
  /** Last second. */
  readonly end: number;
}

const addMonths = (at: number, months: number): number => {
  const local = new Date((at + zoneSeconds) * 1000);
  return (
    Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + months, local.getUTCDate()) / 1000 - zoneSeconds + ((at + zoneSeconds) % day)
  );
};

const requestedPeriod = (start: number | undefined, end: number | undefined, now: number): Period => {
  if (start !== undefined && end !== undefined) return { start, end };
  if (start !== undefined) return { start, end: Math.max(start, Math.min(now, addMonths(start, limits.queryMonths))) };
  const last = end ?? now;
  return { start: dayStart(last) - (limits.flowDays - 1) * day, end: last };
};

/**
 * The period of a traffic query: whole hours, days or months that the requested range touches, so that list, sums, chart and export have
 * the same rows. Default: the last seven days.
 */
export const periodOf = (
  stat: StatBy,
  range: { readonly start?: number | undefined; readonly end?: number | undefined },
  now: number,
): Period => {
  const { start, end } = requestedPeriod(range.start, range.end, now);
  if (stat === 'month') return { start: monthStart(start), end: monthStart(end, 1) - 1 };
  if (stat === 'day') return { start: dayStart(start), end: dayEnd(end) };
  return { start: Math.floor(start / hour) * hour, end: Math.floor(end / hour) * hour + hour - 1 };
};

const steps = [1, 2, 3, 6, 12, 24].map((n) => n * hour);

/** Width of a chart interval, so that a series has no more points than `limits.chartPoints`. */
export const chartStep = (stat: StatBy, { start, end }: Period): number => {
  const range = end + 1 - start;
  return stat === 'hour' ? (steps.find((step) => range / step <= limits.chartPoints) ?? day) : day;
};

/** The months before, or the same hours some days before, so that equal times of day are compared. */
export const previousPeriod = (stat: StatBy, { start, end }: Period): Period => {
  if (stat !== 'month') {
    const shift = Math.ceil((end + 1 - start) / day) * day;
    return { start: start - shift, end: end - shift };
  }
  let months = 1;
  while (monthStart(start, months) <= end) months++;
  return { start: monthStart(start, -months), end: start - 1 };
};
