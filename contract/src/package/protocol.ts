import type { Text } from '../kit/text.ts';
import { protocolMap } from './protocol-map.ts';

/**
 * The wire form of a choice is `category.protocol`: two decimal ids. `8.74` is Steam in games; `8.0` is the whole category, including
 * future protocols. `0.0` is unrecognised traffic, both a category and its only member. Gateways count flows by another pair, master
 * protocol and application (`91.124` is YouTube over TLS); `protocolOfFlow` converts it.
 */
export type Pair = `${number}.${number}`;

export interface ProtocolNode {
  readonly id: Pair;
  readonly label: Text;
  readonly children: readonly ProtocolNode[];
}

const pairOf = (category: number, protocol: number): Pair => `${category}.${protocol}`;

const tree: readonly ProtocolNode[] = protocolMap.map((category) => ({
  id: pairOf(category.id, 0),
  label: category.label,
  children: category.protocols
    .filter(([id]) => id !== 0)
    .map(([id, zh, en]): ProtocolNode => ({ id: pairOf(category.id, id), label: [zh, en], children: [] })),
}));
const nodes: ReadonlyMap<string, ProtocolNode> = new Map(tree.flatMap((c) => [c, ...c.children]).map((node) => [node.id, node]));
const pairs: ReadonlyMap<number, Pair> = new Map(protocolMap.flatMap((c) => c.protocols.map(([id]) => [id, pairOf(c.id, id)])));

export const protocolTree = (): readonly ProtocolNode[] => tree;

/** The two ids of a well-formed pair, known or not; leading zeros and surrounding characters are refused. */
export const parsePair = (value: string): { readonly parent: number; readonly child: number } | undefined => {
  const found = /^(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})$/.exec(value);
  return found ? { parent: Number(found[1]), child: Number(found[2]) } : undefined;
};

/** Whether the pair is a protocol of the map, in its own category. */
export const isProtocol = (value: string): value is Pair => nodes.get(value)?.children.length === 0;

/** Allowed in a template: a protocol or a whole category. */
export const isSelectable = (value: string): value is Pair => nodes.has(value);

/** The name of a protocol or category; an unknown pair is shown as its numbers. */
export const protocolName = (pair: string): Text => nodes.get(pair)?.label ?? [pair, pair];

/** The category name of a protocol. */
export const categoryName = (pair: string): Text => protocolName(pairOf(parsePair(pair)?.parent ?? 0, 0));

/** The protocols of a selection, each once, in the order of the map; a category includes all its members. */
export const expand = (selected: Iterable<string>): Pair[] => {
  const chosen = new Set(selected);
  return tree.flatMap((category) => {
    const members = category.children.length > 0 ? category.children : [category];
    return (chosen.has(category.id) ? members : members.filter((node) => chosen.has(node.id))).map((node) => node.id);
  });
};

/** A flow counts as its application, or as its master protocol if the application is unknown. */
export const protocolOfFlow = (flow: string): Pair => {
  const { parent, child } = parsePair(flow) ?? { parent: 0, child: 0 };
  return (child === 0 ? undefined : pairs.get(child)) ?? pairs.get(parent) ?? pairOf(0, 0);
};
