import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';

/** Merkle trees of RFC 6962 (section 2.1) with SHA-256. */

const leafPrefix = Buffer.from([0]);
const nodePrefix = Buffer.from([1]);

/** By way of hex, because the output `buffer` allocates memory outside of the heap and takes twice the time. */
export const sha256 = (bytes: Buffer): Buffer => Buffer.from(hash('sha256', bytes, 'hex'), 'hex');

export const leafHash = (data: Buffer): Buffer => sha256(Buffer.concat([leafPrefix, data]));

const hashBytes = 32;
/** The prefix 1 and two hashes. Used again for each node. */
const node = Buffer.alloc(1 + 2 * hashBytes, 1);

/** A stored hash that was altered may have another length; it leads to another root. */
export const nodeHash = (left: Buffer, right: Buffer): Buffer => {
  if (left.length !== hashBytes || right.length !== hashBytes) return sha256(Buffer.concat([nodePrefix, left, right]));
  node.set(left, 1);
  node.set(right, 1 + hashBytes);
  return sha256(node);
};
export const emptyRoot: Buffer = sha256(Buffer.alloc(0));

/** Largest power of two below `n`, for n > 1. */
export const splitAt = (n: number): number => {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
};

/** Root over leaf hashes. Level by level: a node without a sibling moves up unchanged. */
export const rootOf = (leaves: readonly Buffer[]): Buffer => {
  let level = leaves;
  while (level.length > 1) {
    const next: Buffer[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const left = level[i];
      const right = level[i + 1];
      if (left) next.push(right ? nodeHash(left, right) : left);
    }
    level = next;
  }
  return level[0] ?? emptyRoot;
};

/** Root over `count` equal leaves, in O(log n). */
export const rootOfEqual = (leaf: Buffer, count: number): Buffer => {
  if (count === 0) return emptyRoot;
  const full = [leaf];
  for (let at = leaf; 2 ** full.length <= count; ) {
    at = nodeHash(at, at);
    full.push(at);
  }
  const subtrees = full.filter((_, level) => Math.floor(count / 2 ** level) % 2 === 1);
  // Smaller subtrees are to the right.
  return subtrees.reduce((right, left) => nodeHash(left, right));
};

/** Siblings from the leaf up to the root. */
export const inclusionProof = (leaves: readonly Buffer[], index: number): Buffer[] => {
  if (leaves.length <= 1) return [];
  const k = splitAt(leaves.length);
  return index < k
    ? [...inclusionProof(leaves.slice(0, k), index), rootOf(leaves.slice(k))]
    : [...inclusionProof(leaves.slice(k), index - k), rootOf(leaves.slice(0, k))];
};

/** Root that a leaf and its siblings lead to; undefined if the proof has the wrong length. */
export const rootFromInclusion = (leaf: Buffer, index: number, size: number, proof: readonly Buffer[]): Buffer | undefined => {
  if (index < 0 || index >= size) return undefined;
  if (size === 1) return proof.length === 0 ? leaf : undefined;
  const sibling = proof.at(-1);
  if (!sibling) return undefined;
  const k = splitAt(size);
  const rest = proof.slice(0, -1);
  const below = index < k ? rootFromInclusion(leaf, index, k, rest) : rootFromInclusion(leaf, index - k, size - k, rest);
  if (!below) return undefined;
  return index < k ? nodeHash(below, sibling) : nodeHash(sibling, below);
};

const isOdd = (n: number): boolean => n % 2 === 1;
const half = (n: number): number => Math.floor(n / 2);

/** Whether the proof shows that the tree of `old` leaves is the beginning of the tree of `size` leaves (RFC 9162 section 2.1.4.2). */
export const isConsistent = (old: number, size: number, oldRoot: Buffer, root: Buffer, proof: readonly Buffer[]): boolean => {
  if (old > size || old < 0) return false;
  if (old === size) return proof.length === 0 && oldRoot.equals(root);
  if (old === 0) return proof.length === 0 && oldRoot.equals(emptyRoot);
  let fn = old - 1;
  let sn = size - 1;
  while (isOdd(fn)) [fn, sn] = [half(fn), half(sn)];
  const [first, ...rest] = fn === 0 ? [oldRoot, ...proof] : proof;
  if (!first) return false;
  let oldHash = first;
  let hash = first;
  for (const node of rest) {
    if (sn === 0) return false;
    if (isOdd(fn) || fn === sn) {
      [oldHash, hash] = [nodeHash(node, oldHash), nodeHash(node, hash)];
      while (!isOdd(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else hash = nodeHash(hash, node);
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && oldHash.equals(oldRoot) && hash.equals(root);
};
