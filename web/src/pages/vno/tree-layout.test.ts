import { describe, expect, it } from 'vitest';
import { flatten, layTree, pathTo } from './tree-layout.ts';

interface N {
  readonly id: number;
  readonly children: readonly N[];
}
const n = (id: number, ...children: N[]): N => ({ id, children });
const tree = [n(1, n(2, n(4), n(5)), n(3))];
const step = { across: 100, down: 10 };
const at = (placed: ReturnType<typeof layTree<N>>) => Object.fromEntries(placed.map((p) => [p.node.id, [p.x, p.y]]));

describe('a horizontal tree', () => {
  it('gives each leaf a line and puts a parent at the middle of its children', () => {
    expect(at(layTree(tree, () => true, step))).toEqual({ 1: [0, 12.5], 2: [100, 5], 3: [100, 20], 4: [200, 0], 5: [200, 10] });
  });
  it('treats a collapsed node as a leaf', () => {
    expect(at(layTree(tree, (node) => node.id === 1, step))).toEqual({ 1: [0, 5], 2: [100, 0], 3: [100, 10] });
  });
  it('never puts two nodes of one column on one line', () => {
    const wide = [n(0, ...Array.from({ length: 40 }, (_, i) => n(i + 1, ...Array.from({ length: 50 }, (_, j) => n(1000 + i * 50 + j)))))];
    const placed = layTree(wide, () => true, step);
    expect(placed).toHaveLength(2041);
    const columns = Map.groupBy(placed, (p) => p.x);
    for (const column of columns.values()) {
      const ys = column.map((p) => p.y).sort((a, b) => a - b);
      expect(ys.every((y, i) => i === 0 || y - (ys[i - 1] ?? 0) >= step.down)).toBe(true);
    }
  });
});

describe('the path to a node', () => {
  it('contains the nodes from the root to its parent', () => {
    expect(pathTo(tree, 5)).toEqual([1, 2]);
    expect(pathTo(tree, 9)).toBeUndefined();
    expect(flatten(tree).map((node) => node.id)).toEqual([1, 2, 4, 5, 3]);
  });
});
