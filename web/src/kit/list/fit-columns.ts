import type { Column } from './columns.ts';

export const sumOf = (columns: readonly Column[], by: 'width' | 'least') => columns.reduce((sum, c) => sum + c[by], 0);

/** Each column shrinks or grows by the same share of its range; the first takes the rounding difference. */
const fill = (columns: readonly Column[], room: number): readonly Column[] => {
  const slack = sumOf(columns, 'width') - sumOf(columns, 'least');
  const spare = room - sumOf(columns, 'least');
  const shareOf = (c: Column) => (slack > 0 ? ((c.width - c.least) * spare) / slack : spare / columns.length);
  const fitted = columns.map((c) => ({ ...c, width: Math.floor(c.least + shareOf(c)) }));
  const left = room - sumOf(fitted, 'width');
  return fitted.map((c, i) => (i === 0 ? { ...c, width: c.width + left } : c));
};

/**
 * Shrinks text columns until the table fits. If it still does not fit, the first columns fill the visible width, so the pinned actions
 * never cover part of a number. The others are reached by scrolling.
 */
export const fitColumns = (columns: readonly Column[], room: number): readonly Column[] => {
  if (sumOf(columns, 'width') <= room) return columns;
  if (sumOf(columns, 'least') <= room) return fill(columns, room);
  let used = 0;
  const seen = columns.findIndex((c) => {
    used += c.least;
    return used > room;
  });
  return seen <= 0 ? columns : [...fill(columns.slice(0, seen), room), ...columns.slice(seen)];
};
