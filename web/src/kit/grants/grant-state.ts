import type { Grant } from '@farlink/contract/kit/field.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import type { PermissionNode } from '@farlink/contract/permission/role.ts';

/** State logic of the editor. Below the groups every node is an item with its own grant: pages, and calls of pages. */
export type Grants = Readonly<Record<string, Grant>>;
export type Mark = Grant | 'mixed';
export type Tree = readonly PermissionNode[];

const order: readonly Grant[] = ['00', '10', '11'];
const higher = (a: Grant, b: Grant): Grant => (order.indexOf(a) >= order.indexOf(b) ? a : b);
const lower = (a: Grant, b: Grant): Grant => (order.indexOf(a) <= order.indexOf(b) ? a : b);

const isNode = (value: unknown): value is PermissionNode =>
  isRecord(value) && typeof value.key === 'string' && Array.isArray(value.children);

export const treeOf = (data: unknown): Tree => (isRecord(data) && Array.isArray(data.list) ? data.list.filter(isNode) : []);

export const isGrant = (value: unknown): value is Grant => value === '00' || value === '10' || value === '11';

export const grantsOf = (value: unknown): Grants =>
  Object.fromEntries(Object.entries(isRecord(value) ? value : {}).flatMap(([key, grant]) => (isGrant(grant) ? [[key, grant]] : [])));

const below = (node: PermissionNode): PermissionNode[] => [node, ...node.children.flatMap(below)];
const itemsOf = (tree: Tree): PermissionNode[] => tree.flatMap((group) => group.children.flatMap(below));
/** A stored grant can exceed the rights of the session: a read that was once operable, or a right that its VNO has lost. */
const of = (grants: Grants, node: PermissionNode): Grant => lower(grants[node.key] ?? '00', node.most);

const same = (marks: readonly Mark[]): Mark => {
  const [first = '00'] = marks;
  return marks.every((mark) => mark === first) ? first : 'mixed';
};

/**
 * Displayed state of an item. An invisible page is invisible regardless of its calls, because another page may share them. An operable page
 * has operable writes and visible reads: each call has its highest grant.
 */
export const itemMark = (item: PermissionNode, grants: Grants): Mark => {
  const own = of(grants, item);
  if (own === '00') return own;
  return item.children.every((call) => of(grants, call) === lower(own, call.most)) ? own : 'mixed';
};
export const groupMark = (group: PermissionNode, grants: Grants): Mark => same(group.children.map((item) => itemMark(item, grants)));

/** Sets a page with its calls. A call shared with another visible page stays when this page is hidden. */
const setPage = (tree: Tree, page: PermissionNode, grant: Grant, grants: Grants): Grants => {
  const others = tree.flatMap((group) => group.children).filter((p) => p.key !== page.key && of(grants, p) !== '00');
  const shared = new Set(grant === '00' ? others.flatMap((p) => p.children.map((call) => call.key)) : []);
  const calls = page.children.filter((call) => !shared.has(call.key)).map((call) => [call.key, lower(grant, call.most)]);
  return { ...grants, [page.key]: lower(grant, page.most), ...Object.fromEntries(calls) };
};

/** Sets a node and all nodes below it; a visible call makes its page visible. */
export const setNode = (tree: Tree, node: PermissionNode, grant: Grant, grants: Grants): Grants => {
  if (tree.includes(node)) return node.children.reduce((now, page) => setPage(tree, page, grant, now), grants);
  const home = tree.flatMap((group) => group.children).find((page) => page.children.includes(node));
  if (!home) return setPage(tree, node, grant, grants);
  const next = { ...grants, [node.key]: lower(grant, node.most) };
  // A page has the highest grant of its calls, and at least show once a call is visible.
  const widest = home.children.map((call) => of(next, call)).reduce(higher, '00');
  const isOpen = grant !== '00' || of(grants, home) !== '00';
  return { ...next, [home.key]: isOpen ? higher(widest, '10') : '00' };
};

const setAll = (tree: Tree, grants: Grants, to: (old: Grant) => Grant): Grants => ({
  ...grants,
  ...Object.fromEntries(itemsOf(tree).map((item) => [item.key, lower(to(of(grants, item)), item.most)])),
});

/** On: every item is at least show only. Off: every item is invisible. */
export const readAll = (tree: Tree, grants: Grants, on: boolean) => setAll(tree, grants, (old) => (on ? higher(old, '10') : '00'));
/** On: every item is operable if possible. Off: every item is show only. */
export const writeAll = (tree: Tree, grants: Grants, on: boolean) => setAll(tree, grants, () => (on ? '11' : '10'));

/** The two switches reflect the items. */
export const flagsOf = (groups: readonly { readonly tree: Tree; readonly grants: Grants }[]): Values => {
  const all = groups.flatMap(({ tree, grants }) => itemsOf(tree).map((item) => ({ grant: of(grants, item), most: item.most })));
  return {
    read_all: all.length > 0 && all.every(({ grant }) => grant !== '00'),
    write_all: all.length > 0 && all.every(({ grant, most }) => grant === most),
  };
};
