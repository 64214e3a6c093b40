import {
  emptyRoot,
  inclusionProof,
  isConsistent,
  leafHash,
  rootFromInclusion,
  rootOf,
  rootOfEqual,
} from '@farlink/gateway/protocol/merkle.ts';
import { expect, test } from 'vitest';
import { logConsistency, logInclusion, logRoot, type NodeId, nodeName, nodesOfAppend, runningRoot } from './log-tree.ts';

// Vectors of the certificate-transparency reference implementation.
const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map((hex) =>
  leafHash(Buffer.from(hex, 'hex')),
);
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const consistency: readonly (readonly [number, number, readonly string[]])[] = [
  [1, 1, []],
  [
    1,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    6,
    8,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [
    2,
    5,
    [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
];

/** A log in memory, and the number of hashes read from it. */
const memoryLog = () => {
  const nodes = new Map<string, Buffer>();
  let size = 0;
  let reads = 0;
  const read = async (ids: readonly NodeId[]) => {
    reads += ids.length;
    return new Map(ids.flatMap((id) => (nodes.has(nodeName(id)) ? [[nodeName(id), nodes.get(nodeName(id)) ?? emptyRoot] as const] : [])));
  };
  const append = async (more: readonly Buffer[]) => {
    for (const node of await nodesOfAppend(size, more, read)) nodes.set(nodeName(node), node.hash);
    size += more.length;
  };
  return { append, read, reads: () => reads, size: () => size };
};

test('roots are those of RFC 6962', () => {
  for (const [size, root] of roots.entries()) expect(rootOf(leaves.slice(0, size)).toString('hex')).toBe(root);
});

test('the root of equal leaves equals that of a tree built from them', () => {
  const leaf = leafHash(Buffer.from('x'));
  for (let count = 0; count < 40; count++) expect(rootOfEqual(leaf, count)).toEqual(rootOf(Array.from({ length: count }, () => leaf)));
});

test('consistency proofs are those of RFC 6962', async () => {
  const log = memoryLog();
  await log.append(leaves);
  for (const [old, size, proof] of consistency) {
    const made = await logConsistency(old, size, log.read);
    expect(made.map((one) => one.toString('hex'))).toEqual(proof);
    expect(isConsistent(old, size, Buffer.from(roots[old] ?? '', 'hex'), Buffer.from(roots[size] ?? '', 'hex'), made)).toBe(true);
  }
});

test('the stored log has the same roots and proofs as the simple algorithm for each size', async () => {
  const many = Array.from({ length: 36 }, (_, i) => leafHash(Buffer.from(`leaf ${i}`)));
  const log = memoryLog();
  const running = runningRoot();
  for (let at = 0, step = 1; at < many.length; at += step, step = (step % 7) + 1) await log.append(many.slice(at, at + step));
  for (let size = 0; size <= many.length; size++) {
    const root = rootOf(many.slice(0, size));
    expect(await logRoot(size, log.read)).toEqual(root);
    expect(running.root()).toEqual(root);
    const next = many[size];
    if (next) running.add(next);
    for (let index = 0; index < size; index++) {
      const proof = await logInclusion(index, size, log.read);
      expect(proof).toEqual(inclusionProof(many.slice(0, size), index));
      expect(rootFromInclusion(many[index] ?? emptyRoot, index, size, proof)).toEqual(root);
    }
    for (let old = 0; old <= size; old++) {
      const proof = await logConsistency(old, size, log.read);
      const oldRoot = rootOf(many.slice(0, old));
      expect(isConsistent(old, size, oldRoot, root, proof)).toBe(true);
      if (old === 0) continue;
      expect(isConsistent(old, size, leafHash(oldRoot), root, proof)).toBe(false);
      expect(isConsistent(old, size, oldRoot, leafHash(root), proof)).toBe(false);
      expect(isConsistent(old, size, oldRoot, root, [...proof, root])).toBe(false);
      if (proof.length > 0) expect(isConsistent(old, size, oldRoot, root, proof.slice(1))).toBe(false);
    }
  }
});

test('appending to a long log reads few hashes', async () => {
  const log = memoryLog();
  await log.append(Array.from({ length: 20_000 }, (_, i) => leafHash(Buffer.from(String(i)))));
  const before = log.reads();
  await log.append([leafHash(Buffer.from('one more'))]);
  await logConsistency(7_777, 20_001, log.read);
  await logInclusion(5, 20_001, log.read);
  expect(log.reads() - before).toBeLessThan(80);
});
