import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startWorkspaces } from './prepare.mjs';
import { packagesOf } from './release-files.mjs';

/** Tools for work on the code, with about 150 MB. */
const tools = ['@biomejs/biome', '@playwright/test', 'playwright-core', 'typescript', 'vitest', 'axe-core'];

test('a start installs no tools for work on the code', () => {
  const direct = startWorkspaces.flatMap((name) => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(new URL(`../${name}/package.json`, import.meta.url), 'utf8'));
    return Object.keys({ ...dependencies, ...devDependencies });
  });
  const installed = new Set([...direct, ...packagesOf(startWorkspaces).map(({ name }) => name)]);
  expect(tools.filter((tool) => installed.has(tool))).toEqual([]);
  expect(installed).toContain('fastify');
});
