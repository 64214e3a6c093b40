import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Sha256 } from './sha256.ts';

const ours = (...parts: Uint8Array[]) => parts.reduce((hash, part) => hash.update(part), new Sha256()).hex();
const theirs = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('the hash of a known text is the known hash', () => {
  expect(ours(new TextEncoder().encode('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(ours()).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test('it is the same in one piece and in many, whatever their lengths', () => {
  for (const length of [1, 55, 56, 63, 64, 65, 119, 120, 127, 128, 1000, 100_003]) {
    const bytes = new Uint8Array(randomBytes(length));
    expect(ours(bytes), String(length)).toBe(theirs(bytes));
    const [third, half] = [Math.floor(length / 3), Math.floor(length / 2)];
    expect(ours(bytes.subarray(0, third), bytes.subarray(third, half), bytes.subarray(half))).toBe(theirs(bytes));
  }
});
