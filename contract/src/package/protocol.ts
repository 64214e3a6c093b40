import type { Text } from '../kit/text.ts';
import { protocolMap } from './protocol-map.ts';

/**
 * The wire form of a choice in the protocol map is `category.protocol`: two decimal ids, parent first. `8.74` is Steam among the games,
 * `8.0` the whole category, also as it grows. `0.0`, traffic that nothing recognised, is a category and its only member in one.
 * Gateways count flows by another pair, carrier and application (`91.124` is YouTube over TLS): `protocolOfFlow` turns it into ours.
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

/** The two ids of a well-formed pair, known or not; leading zeros and anything around it are refused. */
export const parsePair = (value: string): { readonly parent: number; readonly child: number } | undefined => {
  const found = /^(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})$/.exec(value);
  return found ? { parent: Number(found[1]), child: Number(found[2]) } : undefined;
};

/** One protocol of the map, under its own category. */
export const isProtocol = (value: string): value is Pair => nodes.get(value)?.children.length === 0;

/** What a template may hold: a protocol or a whole category. */
export const isSelectable = (value: string): value is Pair => nodes.has(value);

/** The name of a protocol or category; a pair that the map does not know shows as its numbers. */
export const protocolName = (pair: string): Text => nodes.get(pair)?.label ?? [pair, pair];

/** The category of a protocol, by name. */
export const categoryName = (pair: string): Text => protocolName(pairOf(parsePair(pair)?.parent ?? 0, 0));

/** The protocols that a choice means, each once, in the order of the map: a chosen category stands for all its members. */
export const expand = (selected: Iterable<string>): Pair[] => {
  const chosen = new Set(selected);
  return tree.flatMap((category) => {
    const members = category.children.length > 0 ? category.children : [category];
    return (chosen.has(category.id) ? members : members.filter((node) => chosen.has(node.id))).map((node) => node.id);
  });
};

/** A flow is its application, whatever carries it, and its carrier where the application is not known. */
export const protocolOfFlow = (flow: string): Pair => {
  const { parent, child } = parsePair(flow) ?? { parent: 0, child: 0 };
  return (child === 0 ? undefined : pairs.get(child)) ?? pairs.get(parent) ?? pairOf(0, 0);
};
