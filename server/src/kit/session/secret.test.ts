import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashToken, open, randomToken, seal } from './secret.ts';

const key = randomBytes(32);

test('a sealed secret can be opened again, in any script and of any length', () => {
  for (const plain of ['', 'p@ss', '卫星网关 🛰', 'x'.repeat(10_000)]) expect(open(key, seal(key, plain))).toBe(plain);
});

test('sealing the same secret twice gives different results, without its text', () => {
  const sealed = [seal(key, 'hunter22'), seal(key, 'hunter22')];
  expect(sealed[0]).not.toBe(sealed[1]);
  expect(sealed[0]).toMatch(/^v1\.[\w-]+$/);
  expect(Buffer.from((sealed[0] ?? '').slice(3), 'base64url').includes('hunter22')).toBe(false);
});

test('a sealed secret does not open with another key, a changed byte, a missing part or an unknown version', () => {
  const sealed = seal(key, 'secret');
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  for (const at of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => open(key, `v1.${changed.toString('base64url')}`)).toThrow();
  }
  expect(() => open(randomBytes(32), sealed)).toThrow();
  expect(() => open(key, `v1.${bytes.subarray(0, 20).toString('base64url')}`)).toThrow();
  expect(() => open(key, sealed.replace('v1.', 'v9.'))).toThrow('known version');
});

test('tokens are random, fit a header and hash to SHA-256', () => {
  expect(randomToken()).toMatch(/^[\w-]{43}$/);
  expect(randomToken(16)).toMatch(/^[\w-]{22}$/);
  expect(new Set(Array.from({ length: 100 }, () => randomToken())).size).toBe(100);
  expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
