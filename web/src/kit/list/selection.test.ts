import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { limits } from '@farlink/contract/limits.ts';
import { describe, expect, it } from 'vitest';
import { refreshed, type Selection, shareOf, withoutIds, withRows } from './selection.ts';

const rows = (from: number, count: number): AnyRow[] => Array.from({ length: count }, (_, i) => ({ id: from + i }));
const none: Selection = new Map();
const of = (all: readonly AnyRow[]) => withRows(none, all).selection;

describe('the selection of a list', () => {
  it('grows across pages, and contains each row once', () => {
    const both = withRows(of(rows(1, 10)), rows(8, 10));
    expect([...both.selection.keys()]).toEqual(Array.from({ length: 17 }, (_, i) => i + 1));
    expect(both.isFull).toBe(false);
  });

  it('stops at its limit and reports it, but still updates selected rows', () => {
    const full = of(rows(1, limits.selectionMax));
    const over = withRows(full, rows(limits.selectionMax, 2));
    expect(over.selection.size).toBe(limits.selectionMax);
    expect(over.isFull).toBe(true);
    expect(withRows(full, [{ id: 1, status: 'new' }])).toMatchObject({ isFull: false });
  });

  it('no longer contains rows that are removed', () => {
    expect([...withoutIds(of(rows(1, 4)), [2, 3, 99]).keys()]).toEqual([1, 4]);
  });

  it('updates the rows that the list shows and keeps the rows of other pages', () => {
    const before = of([
      { id: 1, status: 'normal' },
      { id: 2, status: 'normal' },
    ]);
    const after = refreshed(before, [
      { id: 2, status: 'disabled' },
      { id: 3, status: 'normal' },
    ]);
    expect([...after.values()]).toEqual([
      { id: 1, status: 'normal' },
      { id: 2, status: 'disabled' },
    ]);
    expect(refreshed(before, rows(7, 2))).toBe(before);
  });

  it('contains none, some or all rows of a page', () => {
    expect(shareOf(none, rows(1, 3))).toBe('none');
    expect(shareOf(of(rows(1, 1)), rows(1, 3))).toBe('some');
    expect(shareOf(of(rows(1, 5)), rows(1, 3))).toBe('all');
    expect(shareOf(of(rows(1, 5)), [])).toBe('none');
  });
});
