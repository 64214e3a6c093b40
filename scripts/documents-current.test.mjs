import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '../server/src/env/config.ts';
import { git } from './release-files.mjs';
import { pinnedNode, root } from './run.mjs';

const sources = git(['ls-files', 'contract', 'gateway', 'portal', 'server/src', 'simulator', 'web/src'])
  .split('\n')
  .filter((path) => /(?<!\.test)\.(ts|tsx)$/.test(path) && existsSync(join(root, path)))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

test('generated documents are current (npm run documents writes them)', { timeout: 60_000 }, () => {
  const { status, stderr } = spawnSync(pinnedNode, ['scripts/write-documents.mjs', '--check'], { cwd: root, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('each declared setting is in the list of settings', () => {
  const declared = sources.flatMap(({ text }) => [...text.matchAll(/\bsetting\(\s*'([A-Z0-9_]+)'/g)].map(([, name = '']) => name));
  expect(declared.sort()).toEqual(
    Object.values(settings)
      .map(({ name }) => name)
      .sort(),
  );
});

test('the product reads the environment only through its settings', () => {
  // An argument of a function that reads settings, and the folder in which npm was called.
  const reads = /(?<!(?:readConfig|\.fault|\.in)\()process\.env(?!\.INIT_CWD\b)/;
  expect(sources.filter(({ text }) => text.includes('process.env') && reads.test(text)).map(({ path }) => path)).toEqual([]);
});
