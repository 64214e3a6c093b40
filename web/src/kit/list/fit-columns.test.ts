import { int, text, time } from '@farlink/contract/kit/field.ts';
import { describe, expect, it } from 'vitest';
import type { Column } from './columns.ts';
import { fitColumns } from './fit-columns.ts';

const texts = (name: string, width: number, minWidth: number): Column => ({ name, field: text(['', '']), width, minWidth });
const number = (name: string, width: number): Column => ({ name, field: int(['', '']), width, minWidth: width });
const widths = (columns: readonly Column[]) => columns.map((c) => c.width);

const columns = [texts('name', 200, 100), texts('note', 100, 80), number('count', 90), number('total', 110)];

describe('the widths of columns', () => {
  it('are unchanged if there is enough space', () => {
    expect(widths(fitColumns(columns, 500))).toEqual([200, 100, 90, 110]);
  });
  it('shrink in proportion for text columns and stay fixed for number columns', () => {
    expect(widths(fitColumns(columns, 440))).toEqual([150, 90, 90, 110]);
  });
  it('end at the visible edge if the space is too small, so that no number is half hidden', () => {
    const fitted = widths(fitColumns(columns, 300));
    expect(fitted.slice(0, 3).reduce((sum, width) => sum + width, 0)).toBe(300);
    expect(fitted[3]).toBe(110);
  });
  it('keep the time of the order visible, as the last of the visible ones', () => {
    const made: Column = { name: 'create_at', field: time(['', '']), width: 90, minWidth: 90 };
    const fitted = fitColumns([...columns, made], 300, 'create_at');
    expect(fitted.map((c) => c.name)).toEqual(['name', 'note', 'create_at', 'count', 'total']);
    expect(fitted.slice(0, 3).reduce((sum, c) => sum + c.width, 0)).toBe(300);
    expect(fitColumns([made, ...columns], 300, 'create_at').map((c) => c.name)).toEqual(['create_at', 'name', 'note', 'count', 'total']);
  });
});
