import { choice, int, link, money, text, time } from '@farlink/contract/kit/field.ts';
import { describe, expect, it } from 'vitest';
import { cardLayout } from './card-layout.ts';
import type { Column } from './columns.ts';

const options = [{ id: 1, label: ['甲', 'A'], color: 'green' }] as const;
const points = [{ id: 1, label: ['在线', 'Online'], color: 'green', point: true }] as const;
const fields = {
  no: text(['号', 'No']),
  name: link(['名', 'Name']),
  kind: choice(['类', 'Kind'], options),
  status: choice(['状', 'Status'], options),
  online: choice(['线', 'Online'], points),
  a: text(['a', 'a']),
  b: int(['b', 'b']),
  c: text(['c', 'c']),
  d: text(['d', 'd']),
  e: text(['e', 'e']),
  total: money(['总', 'Total']),
  create_at: time(['时', 'At']),
};
const columns: Column[] = Object.entries(fields).map(([name, field]) => ({ name, field, width: 100, minWidth: 100 }));
const names = (list: readonly Column[]) => list.map((c) => c.name);

describe('a row as a card', () => {
  const layout = cardLayout(columns, { title: ['name', 'a'], orderby: 'create_at desc' });
  it('has the title columns of its resource, and two states beside them, states before types', () => {
    expect(names(layout.titles)).toEqual(['name', 'a']);
    expect(names(layout.states)).toEqual(['online', 'status']);
  });
  it('shows money and the column it is sorted by among its facts, in the order of the table', () => {
    expect(names(layout.facts)).toEqual(['no', 'kind', 'a', 'total', 'create_at']);
  });
  it('puts all other columns into the rest', () => {
    expect(names(layout.rest)).toEqual(['b', 'c', 'd', 'e']);
  });
});
