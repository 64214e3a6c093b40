import { nodeHash } from '@farlink/gateway/protocol/merkle.ts';

/** All levels of a tree, so that proofs of many leaves cost one pass. A node without a sibling moves up unchanged. */
export const treeLevels = (leaves: readonly Buffer[]): (readonly Buffer[])[] => {
  const levels: (readonly Buffer[])[] = [leaves];
  for (let level = leaves; level.length > 1; ) {
    const next: Buffer[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const left = level[i];
      const right = level[i + 1];
      if (left) next.push(right ? nodeHash(left, right) : left);
    }
    levels.push(next);
    level = next;
  }
  return levels;
};

/** Siblings from the leaf up to the root, as of RFC 6962. */
export const proofFrom = (levels: readonly (readonly Buffer[])[], index: number): Buffer[] => {
  const proof: Buffer[] = [];
  let at = index;
  for (const level of levels.slice(0, -1)) {
    const sibling = level[at % 2 === 0 ? at + 1 : at - 1];
    if (sibling) proof.push(sibling);
    at = Math.floor(at / 2);
  }
  return proof;
};
