import type { Cycle } from './types.ts';

const day = 86_400;
const span = { hour: 3600, day, week: 7 * day } as const;

/** Months follow the calendar of UTC+8, a fixed offset without daylight saving. */
const offset = 8 * 3600;

const monthOf = (at: number): number => {
  const date = new Date((at + offset) * 1000);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
};

const addMonths = (anchor: number, months: number): number => {
  const month = monthOf(anchor) + months;
  const lastDay = new Date(Date.UTC(1970, month + 1, 0)).getUTCDate();
  const date = Math.min(new Date((anchor + offset) * 1000).getUTCDate(), lastDay);
  return Date.UTC(1970, month, date) / 1000 + ((anchor + offset) % day) - offset;
};

/** Start of a cycle. Each is computed from the anchor, so the 31st is the 31st again after a shorter month. */
export const cycleStart = (anchor: number, { length, unit }: Cycle, index: number): number =>
  unit === 'month' ? addMonths(anchor, index * length) : anchor + index * length * span[unit];

/** Index of the cycle that contains an instant. The start is inclusive, the end exclusive. */
export const cycleIndex = (anchor: number, cycle: Cycle, at: number): number => {
  if (cycle.unit !== 'month') return Math.floor((at - anchor) / (cycle.length * span[cycle.unit]));
  const index = Math.floor((monthOf(at) - monthOf(anchor)) / cycle.length);
  return cycleStart(anchor, cycle, index) > at ? index - 1 : index;
};
