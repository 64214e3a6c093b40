import type { Column } from './columns.ts';

export const sumOf = (columns: readonly Column[], by: 'width' | 'least') => columns.reduce((sum, c) => sum + c[by], 0);

/** Each column gives or takes the same share of what it can; the first takes the pixels that rounding leaves. */
const fill = (columns: readonly Column[], room: number): readonly Column[] => {
  const slack = sumOf(columns, 'width') - sumOf(columns, 'least');
  const spare = room - sumOf(columns, 'least');
  const shareOf = (c: Column) => (slack > 0 ? ((c.width - c.least) * spare) / slack : spare / columns.length);
  const fitted = columns.map((c) => ({ ...c, width: Math.floor(c.least + shareOf(c)) }));
  const left = room - sumOf(fitted, 'width');
  return fitted.map((c, i) => (i === 0 ? { ...c, width: c.width + left } : c));
};

/**
 * Narrows columns of words until the table has room. Where it still has none, the first columns fill what is in sight,
 * so that the pinned actions never cover a part of a number; the others are reached by scrolling.
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
