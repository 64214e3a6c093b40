import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { settings } from '../server/src/env/config.ts';
import { root } from './run.mjs';

const files = (/** @type {string} */ pattern) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', pattern], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
const withoutCode = (/** @type {string} */ text) => text.replace(/^ *```[\s\S]*?^ *```/gm, '');

/** Anchors of the headings, as GitHub makes them. @param {string} path */
const anchors = (path) =>
  [...withoutCode(read(path)).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );

const documents = files('*.md');
const readmes = ['README.md', 'README.zh-CN.md'];

test.each(documents)('links of %s lead to files and headings', (path) => {
  const broken = [...withoutCode(read(path)).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].filter(([, target, anchor]) => {
    const file = target ? join(dirname(path), target) : path;
    return !existsSync(join(root, file)) || (anchor && !anchors(file).includes(anchor));
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

const sourceText = ['*.ts', '*.tsx', '*.sql']
  .flatMap(files)
  .filter((path) => existsSync(join(root, path)))
  .map(read)
  .join('\n');

/** Folders that paths in documents are relative to. */
const bases = ['', 'gateway/src', 'server', 'server/src', 'web/src'];
const pathsInBackticks =
  /`((?:(?:src|app|config-doc|contract|db|domain|field|gateway|kit|modules|orders|pages|portal|portal-host|radius|remote|scripts|server|ui|web)\/[\w./-]+)|[\w.-]+\.(?:tsx?|mjs|sql))`/g;

const aboutCode = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...files('docs/*.md')];

test.each(aboutCode)('%s names only files and folders that exist', (path) => {
  const named = [...withoutCode(read(path)).matchAll(pathsInBackticks)].map(([, file = '']) => file);
  const sources = files('*.*');
  // A name without a folder belongs to a folder that the paragraph names.
  const exists = (/** @type {string} */ file) =>
    file.includes('/') ? bases.some((base) => existsSync(join(root, base, file))) : sources.some((source) => source.endsWith(`/${file}`));
  expect(named.filter((file) => !exists(file))).toEqual([]);
});

test.each(['ARCHITECTURE.md', ...files('docs/architecture/*.md')])('%s names only functions and tables that exist', (path) => {
  const named = [...withoutCode(read(path)).matchAll(/`([a-z]+(?:[A-Z]\w*|_[a-z_]+))`/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !sourceText.includes(name))).toEqual([]);
});

test('ARCHITECTURE.md has at most 12 KB', () => {
  expect(statSync(join(root, 'ARCHITECTURE.md')).size).toBeLessThanOrEqual(12 * 1024);
});

describe.each(readmes)('%s', (path) => {
  test('names only commands of package.json', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const names = [...read(path).matchAll(/npm (?:run )?(start|test|(?<=run )[\w-]+)/g)].map(([, name = '']) => name);
    expect(names.filter((name) => !scripts[name])).toEqual([]);
  });

  test('lists the same ten settings of the server', () => {
    const names = [...read(path).matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = '']) => name);
    const known = new Set(Object.values(settings).map(({ name }) => name));
    expect(names).toHaveLength(10);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(names).toEqual([...read('README.md').matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name));
  });
});

test('pictures are at most 150 KB', () => {
  expect(files('docs/pictures/*').filter((path) => statSync(join(root, path)).size > 150 * 1024)).toEqual([]);
});

test('each decision has a status', () => {
  const without = files('docs/decisions/*.md').filter((path) => !/^# \d+\. .+\n\nStatus: (accepted|replaced by)/.test(read(path)));
  expect(without).toEqual([]);
});

test('the changelog describes each release in at most 10 KB', () => {
  const long = read('CHANGELOG.md')
    .split(/^(?=## )/m)
    .filter((section) => Buffer.byteLength(section) > 10 * 1024);
  expect(long.map((section) => section.split('\n')[0])).toEqual([]);
});
