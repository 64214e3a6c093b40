import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { expect, test } from 'vitest';
import { inOrder, moved } from './row-order.ts';

const row = (name: string, order?: number): JsonObject => (order === undefined ? { name } : { name, order });
const names = (rows: readonly { readonly [key: string]: unknown }[]) => rows.map((r) => r.name).join('');

test('moving a row swaps its number with its neighbour and changes nothing else', () => {
  const a = row('a', 10);
  const b = row('b', 20);
  const c = row('c', 30);
  const rows = [c, a, b];
  const up = moved(rows, 'order', b, -1, 1);
  expect(up).toEqual([row('c', 30), row('a', 20), row('b', 10)]);
  expect(up[0]).toBe(c);
  expect(names(inOrder(up, 'order'))).toBe('bac');
});

test('the first row cannot move up and the last row cannot move down', () => {
  const rows = [row('a', 1), row('b', 2)];
  expect(moved(rows, 'order', rows[0] ?? {}, -1, 1)).toBe(rows);
  expect(moved(rows, 'order', rows[1] ?? {}, 1, 1)).toBe(rows);
});

test('rows with equal or missing numbers get unique numbers when one of them is moved', () => {
  const rows = [row('a', 5), row('b', 5), row('c', 9), row('d')];
  const down = moved(rows, 'order', rows[0] ?? {}, 1, 1);
  expect(names(inOrder(down, 'order'))).toBe('bacd');
  expect(new Set(down.map((r) => r.order)).size).toBe(4);
  expect(down[2]).toEqual(row('c', 9));
});
