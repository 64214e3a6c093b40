import { emptyRoot, nodeHash, splitAt } from '@farlink/gateway/protocol/merkle.ts';

/** The log as a tree of RFC 6962 whose complete subtrees are stored, so that appending, roots and proofs read O(log n) hashes. */

/** Complete subtree of 2^level leaves, the `index`-th of its level. */
export interface NodeId {
  readonly level: number;
  readonly index: number;
}

export interface TreeNode extends NodeId {
  readonly hash: Buffer;
}

/** Leaves `from` (included) to `to` (excluded). */
type Range = readonly [from: number, to: number];

export const nodeName = ({ level, index }: NodeId): string => `${level}/${index}`;

/** Complete subtrees that cover a range, from left to right. `from` is a multiple of the largest of them. */
const cover = ([from, to]: Range): NodeId[] => {
  const nodes: NodeId[] = [];
  let at = from;
  while (at < to) {
    let level = 0;
    while (at + 2 ** (level + 1) <= to && at % 2 ** (level + 1) === 0) level++;
    nodes.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return nodes;
};

const inclusionRanges = (index: number, [from, to]: Range): Range[] => {
  if (to - from <= 1) return [];
  const middle = from + splitAt(to - from);
  return index < middle
    ? [...inclusionRanges(index, [from, middle]), [middle, to]]
    : [...inclusionRanges(index, [middle, to]), [from, middle]];
};

/** RFC 6962 section 2.1.2. `isOld`: the old root is known to the reader, so it is not part of the proof. */
const consistencyRanges = (old: number, [from, to]: Range, isOld: boolean): Range[] => {
  if (old === to - from) return isOld ? [] : [[from, to]];
  const k = splitAt(to - from);
  return old <= k
    ? [...consistencyRanges(old, [from, from + k], isOld), [from + k, to]]
    : [...consistencyRanges(old - k, [from + k, to], false), [from, from + k]];
};

/** Reads hashes of complete subtrees. */
export type ReadNodes = (ids: readonly NodeId[]) => Promise<ReadonlyMap<string, Buffer>>;

const hashesOf = async (ranges: readonly Range[], read: ReadNodes): Promise<Buffer[]> => {
  const covers = ranges.map(cover);
  const known = covers.length === 0 ? new Map<string, Buffer>() : await read(covers.flat());
  return covers.map((nodes) => {
    const hashes = nodes.map((node) => {
      const hash = known.get(nodeName(node));
      if (!hash) throw new MissingNode(`audit log has no node ${nodeName(node)}`);
      return hash;
    });
    return hashes.reduceRight((right, left) => nodeHash(left, right));
  });
};

/** A stored hash of the log was removed. */
export class MissingNode extends Error {}

export const logRoot = async (size: number, read: ReadNodes): Promise<Buffer> =>
  size === 0 ? emptyRoot : ((await hashesOf([[0, size]], read))[0] ?? emptyRoot);

export const logInclusion = (index: number, size: number, read: ReadNodes): Promise<Buffer[]> =>
  hashesOf(inclusionRanges(index, [0, size]), read);

/** Proof that the log of `old` leaves is the beginning of the log of `size` leaves. */
export const logConsistency = async (old: number, size: number, read: ReadNodes): Promise<Buffer[]> =>
  old === 0 || old >= size ? [] : hashesOf(consistencyRanges(old, [0, size], true), read);

/** Nodes that complete when leaves are appended: the leaves, and each subtree whose right half they complete. */
export const nodesOfAppend = async (size: number, leaves: readonly Buffer[], read: ReadNodes): Promise<TreeNode[]> => {
  const known = new Map<string, Buffer>(size === 0 ? [] : await read(cover([0, size])));
  const created: TreeNode[] = [];
  const add = (node: TreeNode) => {
    known.set(nodeName(node), node.hash);
    created.push(node);
  };
  for (const [i, hash] of leaves.entries()) {
    let node: TreeNode = { level: 0, index: size + i, hash };
    add(node);
    while (node.index % 2 === 1) {
      const left = known.get(nodeName({ level: node.level, index: node.index - 1 }));
      if (!left) throw new MissingNode(`audit log has no node ${node.level}/${node.index - 1}`);
      node = { level: node.level + 1, index: (node.index - 1) / 2, hash: nodeHash(left, node.hash) };
      add(node);
    }
  }
  return created;
};

/** Root of leaves that arrive one by one, in O(log n) memory. */
export const runningRoot = () => {
  const stack: { level: number; hash: Buffer }[] = [];
  let size = 0;
  return {
    add: (leaf: Buffer) => {
      size++;
      let level = 0;
      let hash = leaf;
      for (let top = stack.at(-1); top?.level === level; top = stack.at(-1)) {
        stack.pop();
        [level, hash] = [level + 1, nodeHash(top.hash, hash)];
      }
      stack.push({ level, hash });
    },
    size: () => size,
    root: (): Buffer =>
      stack.length === 0 ? emptyRoot : stack.map(({ hash }) => hash).reduceRight((right, left) => nodeHash(left, right)),
  };
};
