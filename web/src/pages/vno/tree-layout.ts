export interface TreeNode<T> {
  readonly id: number;
  readonly children: readonly T[];
}

export interface Placed<T> {
  readonly node: T;
  readonly parent: number | undefined;
  readonly x: number;
  readonly y: number;
}

interface Step {
  readonly across: number;
  readonly down: number;
}

/**
 * A horizontal tree layout: each leaf has its own row, a parent is at the middle of its children. One pass over the visible nodes; a
 * collapsed node counts as a leaf.
 */
export const layTree = <T extends TreeNode<T>>(roots: readonly T[], isOpen: (node: T) => boolean, { across, down }: Step): Placed<T>[] => {
  const placed: Placed<T>[] = [];
  let line = 0;
  const layOut = (node: T, depth: number, parent: number | undefined): number => {
    const ys = isOpen(node) ? node.children.map((child) => layOut(child, depth + 1, node.id)) : [];
    const [first = line * down] = ys;
    const last = ys.at(-1) ?? first;
    if (ys.length === 0) line += 1;
    const y = (first + last) / 2;
    placed.push({ node, parent, x: depth * across, y });
    return y;
  };
  for (const root of roots) layOut(root, 0, undefined);
  return placed;
};

/** The ids from a root to a node, without the node itself. */
export const pathTo = <T extends TreeNode<T>>(roots: readonly T[], id: number): number[] | undefined => {
  for (const node of roots) {
    if (node.id === id) return [];
    const rest = pathTo(node.children, id);
    if (rest) return [node.id, ...rest];
  }
  return undefined;
};

export const flatten = <T extends TreeNode<T>>(roots: readonly T[]): T[] => roots.flatMap((node) => [node, ...flatten(node.children)]);
