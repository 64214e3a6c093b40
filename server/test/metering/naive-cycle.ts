import type { Cycle } from '../../src/domain/metering/engine/types.ts';

const pad = (n: number, width = 2) => String(n).padStart(width, '0');

/** Boundary by calendar search: tries the target day and then earlier ones until the date exists. */
export const naiveBoundary = (anchor: number, { length, unit }: Cycle, index: number): number => {
  if (unit !== 'month') return anchor + index * length * { hour: 3600, day: 86_400, week: 604_800 }[unit];
  const [date = '', clock = ''] = new Date((anchor + 8 * 3600) * 1000).toISOString().split('T');
  const [year = 0, month = 0, targetDay = 0] = date.split('-').map(Number);
  const months = year * 12 + (month - 1) + index * length;
  for (let day = targetDay; ; day--) {
    const text = `${pad(Math.floor(months / 12), 4)}-${pad((months % 12) + 1)}-${pad(day)}`;
    const found = new Date(`${text}T${clock.slice(0, 8)}+08:00`);
    if (new Date(found.getTime() + 8 * 3600_000).toISOString().startsWith(text)) return found.getTime() / 1000;
  }
};

/** Counts boundaries one by one. */
export const naiveIndex = (anchor: number, cycle: Cycle, at: number): number => {
  let index = 0;
  while (naiveBoundary(anchor, cycle, index + 1) <= at) index++;
  return index;
};
