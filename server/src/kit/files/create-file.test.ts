import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createFile } from './create-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-write-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const broken = async function* (): AsyncGenerator<string> {
  yield* [];
  throw new Error('the source is broken');
};

it('writes all chunks of the source', async () => {
  await createFile(
    join(folder, 'whole'),
    (async function* () {
      yield 'a';
      yield 'b';
    })(),
  );
  expect(readFileSync(join(folder, 'whole'), 'utf8')).toBe('ab');
});

it('does not overwrite', async () => {
  await expect(createFile(join(folder, 'whole'), broken())).rejects.toThrow('EEXIST');
});

it('has created the file even if the source fails at once, so that it can be removed', async () => {
  const path = join(folder, 'broken');
  await expect(createFile(path, broken())).rejects.toThrow('the source is broken');
  expect(existsSync(path)).toBe(true);
});

it('has created the file even if it is aborted before the start', async () => {
  const path = join(folder, 'aborted');
  await expect(createFile(path, broken(), { signal: AbortSignal.abort() })).rejects.toThrow();
  expect(existsSync(path)).toBe(true);
});
