import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { startFileHash } from './file-hash.ts';

test('hashes a large upload in steps between which other tasks run', async () => {
  const chunks = [4_194_304, 4_194_304, 1_000_003].map((length) => new Uint8Array(randomBytes(length)));
  const expected = createHash('sha256');
  const hash = startFileHash();
  let others = 0;
  const timer = setInterval(() => others++, 0);
  for (const chunk of chunks) {
    expected.update(chunk);
    await hash.update(chunk);
  }
  clearInterval(timer);
  expect(hash.hex()).toBe(expected.digest('hex'));
  expect(others).toBeGreaterThanOrEqual(chunks.length);
});

test('hashes an empty file', () => {
  expect(startFileHash().hex()).toBe(createHash('sha256').digest('hex'));
});
