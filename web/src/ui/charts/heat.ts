import { dayStart } from '@farlink/contract/kit/zone.ts';

export interface HeatRow {
  /** First second of the day. */
  readonly day: number;
  /** One value per hour; undefined outside the range. */
  readonly hours: readonly (number | undefined)[];
}

const hour = 3600;
const day = 24 * hour;

/** Hourly values as one row per day of the business time zone. */
export const heatRows = (start: number, values: readonly number[]): readonly HeatRow[] => {
  const first = dayStart(start);
  const count = Math.ceil((start + values.length * hour - first) / day);
  return Array.from({ length: count }, (_, d) => ({
    day: first + d * day,
    hours: Array.from({ length: 24 }, (_, h) => values[(first + d * day + h * hour - start) / hour]),
  }));
};

const levels = 5;

/** Color class of a value: 0 for nothing, else 1 to 5 by its share of the maximum. */
export const heatLevel = (value: number | undefined, max: number): number =>
  value === undefined || value === 0 || max === 0 ? 0 : Math.max(1, Math.ceil((levels * value) / max));
