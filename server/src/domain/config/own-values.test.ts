import { int, text } from '@farlink/gateway/kit/field.ts';
import { form, list } from '@farlink/gateway/kit/page.ts';
import { describe, expect, it } from 'vitest';
import { ownPathsAfter } from './own-values.ts';

const texts = { title: ['页', 'Page'], summary: ['页', 'Page'] } as const;
const fields = { a: text(['甲', 'A'], {}), b: int(['乙', 'B'], {}) };
const shape = form('test_form', { ...texts, fields });
const rows = list('test_list', {
  ...texts,
  key: 'name',
  maxRows: 9,
  fields: { name: text(['名', 'Name'], { required: true }), ...fields },
});
const x = { name: 'x', a: 'p', b: 1 };

describe('own values of a device', () => {
  it('are the values that an operator changed, until they are set back to the inherited value', () => {
    expect(ownPathsAfter(shape, [], { a: 'p', b: 1 }, { a: 'mine', b: 1 }, { a: 'p', b: 1 })).toEqual(['a']);
    expect(ownPathsAfter(shape, ['a'], { a: 'mine', b: 1 }, { a: 'p', b: 1 }, { a: 'p', b: 1 })).toEqual([]);
    expect(ownPathsAfter(shape, ['a'], { a: 'mine' }, { a: 'p' })).toEqual(['a']);
  });

  it('do not grow when a template changes', () => {
    expect(ownPathsAfter(shape, [], { a: 'old', b: 1 }, { a: 'old', b: 2 }, { a: 'new', b: 1 })).toEqual(['b']);
  });

  it('are added and removed rows, and changed fields of inherited rows', () => {
    expect(ownPathsAfter(rows, [], { rows: [] }, { rows: [x] }, { rows: [] })).toEqual(['x']);
    expect(ownPathsAfter(rows, [], { rows: [x] }, { rows: [] }, { rows: [x] })).toEqual(['x']);
    expect(ownPathsAfter(rows, [], { rows: [x] }, { rows: [{ ...x, b: 2 }] }, { rows: [x] })).toEqual(['x.b']);
    expect(ownPathsAfter(rows, ['x'], { rows: [x] }, { rows: [{ ...x, b: 2 }] }, { rows: [] })).toEqual(['x', 'x.b']);
  });

  it('contain nothing of a row that equals the inherited one, else only its different fields', () => {
    expect(ownPathsAfter(rows, ['x'], { rows: [] }, { rows: [x] }, { rows: [x] })).toEqual([]);
    expect(ownPathsAfter(rows, ['x'], { rows: [] }, { rows: [{ ...x, a: 'm' }] }, { rows: [x] })).toEqual(['x.a']);
    expect(ownPathsAfter(rows, ['x', 'x.b'], { rows: [{ ...x, b: 2 }] }, { rows: [] }, { rows: [] })).toEqual([]);
  });

  it('still include a row whose key starts with the key of a removed row', () => {
    const longer = { ...x, name: 'x.cn' };
    expect(ownPathsAfter(rows, ['x', 'x.cn', 'x.cn.b'], { rows: [x, longer] }, { rows: [longer] }, { rows: [] })).toEqual([
      'x.cn',
      'x.cn.b',
    ]);
  });

  it('are computed for 20,000 added and removed rows', () => {
    const many = { rows: Array.from({ length: 20_000 }, (_, i) => ({ ...x, name: `user${i}` })) };
    const own = ownPathsAfter(rows, [], { rows: [] }, many, { rows: [] });
    expect(own).toHaveLength(20_000);
    const changed = own.map((row) => `${row}.b`);
    expect(ownPathsAfter(rows, [...own, ...changed], many, { rows: [] }, { rows: [] })).toEqual([]);
  });
});
