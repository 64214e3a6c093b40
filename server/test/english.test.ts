import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = execFileSync('git', ['ls-files', 'contract/src', 'gateway/src', 'portal/src', 'web/src', 'server/src'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/demo\/|sample-audit/.test(file));

const pair = /\[\s*(['"`])((?:(?!\1).)*[\u4e00-\u9fff](?:(?!\1).)*)\1,\s*(['"`])((?:(?!\3).)*)\3,?\s*\]/gs;
const textsOf = (file: string) => [...readFileSync(join(root, file), 'utf8').matchAll(pair)].map((found) => found[4] ?? '');

test('English texts have no Chinese characters and punctuation', () => {
  const texts = sources.flatMap((file) => textsOf(file).map((text) => `${file}: ${text}`));
  expect(texts.length).toBeGreaterThan(2000);
  expect(texts.filter((text) => /[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]/.test(text))).toEqual([]);
});
