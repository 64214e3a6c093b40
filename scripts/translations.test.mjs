import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { settings } from '../server/src/env/config.ts';
import { root } from './run.mjs';

const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
const translated = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', 'docs/zh/*.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .map((path) => posix.relative('docs/zh', path));

const fenced = /^ *```[\s\S]*?^ *```/gm;
/** Code blocks without comments. @param {string} text */
const blocks = (text) => [...text.matchAll(fenced)].map(([block]) => block.replace(/ *# .*$/gm, ''));
/** What both languages have in the same order: headings by level, rows of tables, items of lists. @param {string} text */
const outline = (text) =>
  text
    .replace(fenced, '')
    .split('\n')
    .flatMap((line) => /^(#+ |\| | *- | *\d+\. )/.exec(line)?.[1]?.trim().replace(/\d+\./, '1.') ?? []);
const known = new Set(Object.values(settings).map(({ name }) => name));
/** Settings and metrics that a page names. @param {string} text */
const names = (text) =>
  [...new Set(text.match(/\b(?:[A-Z][A-Z0-9_]+|farlink_\w+)\b/g))].filter((name) => known.has(name) || /^f/.test(name)).sort();

describe.each(translated)('the Chinese page of docs/%s', (name) => {
  const [english, chinese] = [read(`docs/${name}`), read(`docs/zh/${name}`)];

  test('has the same headings, tables and lists', () => {
    expect(outline(chinese)).toEqual(outline(english));
  });

  test('has the same commands', () => {
    expect(blocks(chinese)).toEqual(blocks(english));
  });

  test('names the same settings and metrics', () => {
    expect(names(chinese)).toEqual(names(english));
  });

  test('is linked from the English page and from README.zh-CN.md', () => {
    const linkTo = (/** @type {string} */ to, /** @type {string} */ from) => `](${posix.relative(posix.dirname(from), to)})`;
    expect(english).toContain(linkTo(`docs/zh/${name}`, `docs/${name}`));
    expect(chinese).toContain(linkTo(`docs/${name}`, `docs/zh/${name}`));
    expect(read('README.zh-CN.md')).toContain(`](docs/zh/${name})`);
  });
});
