import { int, text } from '@farlink/contract/kit/field.ts';
import { expect, test } from 'vitest';
import { sectionsOf } from './sections.ts';

const fields = { a: text(['甲', 'A']), b: int(['乙', 'B']), c: text(['丙', 'C']) };
const names = (named: Parameters<typeof sectionsOf>[1]) => sectionsOf(fields, named).map((s) => s.fields.map(([name]) => name));

test('fields are under their headings in the order that the headings list', () => {
  expect(
    names([
      { title: ['一', 'One'], fields: ['c', 'a'] },
      { title: ['二', 'Two'], fields: ['b'] },
    ]),
  ).toEqual([['c', 'a'], ['b']]);
});

test('unlisted fields come last, and a heading without fields is omitted', () => {
  expect(
    names([
      { title: ['一', 'One'], fields: ['b', 'unknown'] },
      { title: ['二', 'Two'], fields: ['gone'] },
    ]),
  ).toEqual([['b'], ['a', 'c']]);
  expect(names([])).toEqual([['a', 'b', 'c']]);
});
