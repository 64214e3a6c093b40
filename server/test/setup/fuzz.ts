import type { Random } from '@farlink/contract/kit/random.ts';

/** Repeatable random input. FUZZ_SEED sets another seed. */
export const fuzzSeed = Number(process.env.FUZZ_SEED ?? 20_261_116);

const interesting = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

const mutations: readonly ((bytes: Buffer, random: Random) => Buffer)[] = [
  (bytes, random) => {
    const at = random.below(bytes.length);
    bytes[at] = random.below(256);
    return bytes;
  },
  (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  (bytes, random) => {
    if (bytes.length >= 4) bytes.writeUInt32LE(random.pick(interesting), random.below(bytes.length - 3));
    return bytes;
  },
  (bytes, random) => {
    const at = random.below(bytes.length);
    const piece = bytes.subarray(at, at + random.below(64));
    return Buffer.concat([bytes.subarray(0, at), ...Array<Buffer>(1 + random.below(20)).fill(piece), bytes.subarray(at)]);
  },
  (bytes, random) => {
    const at = random.below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.below(32))]);
  },
];

/** A corpus seed with a few random changes. */
export const mutated = (seed: Buffer, random: Random): Buffer => {
  let bytes: Buffer = Buffer.from(seed);
  for (let i = random.below(4); i >= 0 && bytes.length > 0; i--) bytes = random.pick(mutations)(bytes, random);
  return bytes;
};

const names = ['id', 'ids', 'name', '__proto__', 'constructor', 'prototype', 'toString', 'rows', 'lang', 'version', 'a\0b', '', '账号'];
const texts = [
  '',
  ' ',
  'x'.repeat(3000),
  '\0',
  '\ud800',
  "'; drop table agent; --",
  '{x}',
  '../../etc/passwd',
  '＝1',
  '1e309',
  '-0',
  '账号',
  '%00',
];
const numbers = [0, -1, 1, 0.1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308];

/** Any JSON value. */
export const anyValue = (random: Random, depth = 0): unknown => {
  const kind = random.below(depth > 4 ? 5 : 8);
  if (kind === 0) return null;
  if (kind === 1) return random.below(2) === 0;
  if (kind === 2) return random.pick(numbers);
  if (kind <= 4) return random.pick(texts);
  if (kind <= 6) return Array.from({ length: random.below(6) }, () => anyValue(random, depth + 1));
  return Object.fromEntries(Array.from({ length: random.below(5) }, () => [random.pick(names), anyValue(random, depth + 1)]));
};
