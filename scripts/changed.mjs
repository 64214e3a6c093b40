import { execFileSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { readImports } from './check-imports.mjs';
import { root } from './run.mjs';

const unitTest = /\.test\.(tsx?|mjs)$/;
const story = /^e2e\/.*\.spec\.ts$/;
/** What so many files import is tested by the tests beside it; the whole run shows the rest. */
const hub = 12;
const steps = 3;

/** Tests for all calls, all texts or the whole console, by the part that they walk over. */
const walks = [
  { part: /^(contract|server\/src\/(kit|modules))\//, test: /^(server\/test\/walk|contract\/src\/catalogue)/ },
  { part: /^web\/src\/(?!pages\/)/, test: /^e2e\/(form|list|shell)\.spec/ },
];

/** @param {import('./check-imports.mjs').Imports} imports */
const importersOf = (imports) => {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const [from, targets] of imports) for (const to of targets) importers.set(to, [...(importers.get(to) ?? []), from]);
  return importers;
};

/**
 * The changed files and those that import them, over a few steps.
 * @param {readonly string[]} changed
 * @param {ReadonlyMap<string, readonly string[]>} importers
 */
const withImporters = (changed, importers) => {
  const reached = new Set(changed);
  let edge = [...changed];
  for (let step = 0; step < steps; step++) {
    edge = edge.flatMap((file) => {
      const from = importers.get(file) ?? [];
      return from.length > hub ? [] : from.filter((name) => !reached.has(name));
    });
    for (const file of edge) reached.add(file);
  }
  return reached;
};

/**
 * Tests that the change can reach: those that import it, those beside it, and the stories named after a page.
 * @param {readonly string[]} changed
 * @param {import('./check-imports.mjs').Imports} imports
 */
export const testsOf = (changed, imports) => {
  const reached = withImporters(changed, importersOf(imports));
  const folders = new Set(changed.flatMap((file) => [dirname(file), dirname(file).replace(/^contract\/src\//, 'server/src/modules/')]));
  const pages = new Set(
    [...reached]
      .filter((file) => file.startsWith('web/src/pages/'))
      .flatMap((file) => [basename(dirname(file)), basename(file).replace(/\.\w+$/, '')]),
  );
  const isWalk = (/** @type {string} */ file) => walks.some(({ part, test }) => test.test(file) && changed.some((name) => part.test(name)));
  const tests = [...imports.keys()].filter(
    (file) => reached.has(file) || isWalk(file) || (folders.has(dirname(file)) && unitTest.test(file)),
  );
  const stories = [...imports.keys()].filter((file) => story.test(file) && pages.has(basename(file).replace('.spec.ts', '')));
  return {
    unit: tests.filter((file) => unitTest.test(file)),
    stories: [...new Set([...tests.filter((file) => story.test(file)), ...stories])],
  };
};

/** @param {readonly string[]} args */
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Files that differ from the main branch; on the main branch itself, from the last commit, or those of the last commit. */
export const changedFiles = () => {
  const [base = 'HEAD'] = git('merge-base', 'HEAD', 'main');
  const [head] = git('rev-parse', 'HEAD');
  const since = (/** @type {string} */ ref) => [...git('diff', '--name-only', ref), ...git('ls-files', '-o', '--exclude-standard')];
  const changed = since(base);
  return changed.length === 0 && base === head ? since('HEAD~1') : changed;
};

export const changedTests = () => testsOf(changedFiles(), readImports());
