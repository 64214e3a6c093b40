import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { newSigningKey, openCheckpoint, parseCheckpoint, privateKeyOf, signCheckpoint, verifierKey } from './checkpoint.ts';

const made = newSigningKey();
const key = { publicKey: made.publicKey, privateKey: privateKeyOf(made.pem) };
const root = hash('sha256', 'a tree', 'buffer');
const text = signCheckpoint({ origin: made.origin, size: 42, root }, key);

test('a checkpoint is a signed note of origin, size and root', () => {
  const lines = text.split('\n');
  expect(lines.slice(0, 4)).toEqual([made.origin, '42', root.toString('base64'), '']);
  expect(lines[4]).toMatch(/^— \S+ [A-Za-z0-9+/]{91}=$/);
  expect(openCheckpoint(text, key.publicKey)).toEqual({ origin: made.origin, size: 42, root });
  expect(verifierKey(made.origin, key.publicKey)).toMatch(/^farlink-audit-[0-9a-f]{16}\+[0-9a-f]{8}\+A/);
});

// Key and note of golang.org/x/mod/sumdb/note, the reference implementation.
test('writes a key in the notation of the reference implementation', () => {
  const [name = '', id, encoded = ''] = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'.split('+');
  const publicKey = Buffer.from(encoded, 'base64').subarray(1);
  expect(verifierKey(name, publicKey)).toBe(`${name}+${id}+${encoded}`);
});

test('refuses another key, changed signed text and truncated text', () => {
  expect(openCheckpoint(text, newSigningKey().publicKey)).toBeUndefined();
  for (let i = 0; i < text.length; i++) {
    const other = text[i] === 'A' ? 'B' : 'A';
    const changed = openCheckpoint(text.slice(0, i) + other + text.slice(i + 1), key.publicKey);
    // The last character of base64 has unused bits, and the line end after the signature is not signed.
    if (changed) expect(changed).toEqual({ origin: made.origin, size: 42, root });
    if (i < text.indexOf('\n\n')) expect(changed).toBeUndefined();
  }
  for (let i = 0; i < text.length - 2; i++) expect(openCheckpoint(text.slice(0, i), key.publicKey)).toBeUndefined();
});

test('never throws for random texts', () => {
  const fragments = [
    '\n',
    '\n\n',
    '— ',
    made.origin,
    '42',
    '-1',
    '1e9',
    '٣',
    '\0',
    '=',
    ' ',
    root.toString('base64'),
    'é',
    '99999999999999999999',
  ];
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let i = 0; i < 5000; i++) {
    const random = Array.from({ length: next(12) }, () => fragments[next(fragments.length)]).join('');
    expect(openCheckpoint(random, key.publicKey)).toBeUndefined();
    expect(() => parseCheckpoint(random)).not.toThrow();
  }
});
