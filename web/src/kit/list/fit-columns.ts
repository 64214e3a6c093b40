import type { Column } from './columns.ts';

export const sumOf = (columns: readonly Column[], by: 'width' | 'minWidth') => columns.reduce((sum, c) => sum + c[by], 0);

/** Each column shrinks or grows by the same share of its range; the first takes the rounding difference. */
const fill = (columns: readonly Column[], availableWidth: number): readonly Column[] => {
  const slack = sumOf(columns, 'width') - sumOf(columns, 'minWidth');
  const spare = availableWidth - sumOf(columns, 'minWidth');
  const shareOf = (c: Column) => (slack > 0 ? ((c.width - c.minWidth) * spare) / slack : spare / columns.length);
  const fitted = columns.map((c) => ({ ...c, width: Math.floor(c.minWidth + shareOf(c)) }));
  const left = availableWidth - sumOf(fitted, 'width');
  return fitted.map((c, i) => (i === 0 ? { ...c, width: c.width + left } : c));
};

/** Columns from the left that fit at their minimum width. */
const fitting = (columns: readonly Column[], availableWidth: number) => {
  let used = 0;
  const firstHidden = columns.findIndex((c) => {
    used += c.minWidth;
    return used > availableWidth;
  });
  return firstHidden < 0 ? columns : columns.slice(0, firstHidden);
};

/**
 * Shrinks text columns until the table fits. If it still does not fit, the first columns fill the visible width, so the pinned actions
 * never cover part of a number. The others are reached by scrolling. A time by which the list is ordered stays visible: it becomes the last
 * one before them.
 */
export const fitColumns = (columns: readonly Column[], availableWidth: number, ordered?: string): readonly Column[] => {
  if (sumOf(columns, 'width') <= availableWidth) return columns;
  if (sumOf(columns, 'minWidth') <= availableWidth) return fill(columns, availableWidth);
  const first = fitting(columns, availableWidth);
  const time = columns.find((c) => c.name === ordered && c.field.kind === 'time' && !first.includes(c));
  const visible = time ? [...fitting(first, availableWidth - time.minWidth), time] : first;
  if (first.length === 0) return columns;
  return [...fill(visible, availableWidth), ...columns.filter((c) => !visible.includes(c))];
};
