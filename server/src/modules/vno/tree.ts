/** Builds a forest from rows; a row whose parent is not in the list is a root. */
export const treeOf = <Row extends { readonly id: number; readonly parent_id: number | null }, Node>(
  rows: readonly Row[],
  node: (row: Row, children: readonly Node[]) => Node,
): Node[] => {
  const known = new Set(rows.map((r) => r.id));
  const below = Map.groupBy(rows, (r) => (r.parent_id !== null && known.has(r.parent_id) ? r.parent_id : null));
  const grow = (parent: number | null): Node[] => (below.get(parent) ?? []).map((row) => node(row, grow(row.id)));
  return grow(null);
};
