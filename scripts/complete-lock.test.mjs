import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { completed, missingIn } from './complete-lock.mjs';

test('the lock holds the builds for every system: `node scripts/complete-lock.mjs` adds what npm left out', () => {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  expect(missingIn(lock.packages)).toEqual([]);
});

test('a build is added with the system in its name', () => {
  const packages = {
    'node_modules/tool': {
      version: '1.2.3',
      optionalDependencies: { '@tool/cli-linux-x64-musl': '1.2.3', '@tool/cli-darwin-arm64': '1.2.3' },
    },
    'node_modules/@tool/cli-darwin-arm64': { version: '1.2.3' },
  };
  expect(completed(packages)).toEqual({
    ...packages,
    'node_modules/@tool/cli-linux-x64-musl': { version: '1.2.3', os: ['linux'], cpu: ['x64'], libc: ['musl'], optional: true },
  });
});
