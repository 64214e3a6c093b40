import { expect, test } from 'vitest';
import { readDocument } from './document.ts';
import { sampleConfig, sectionsInOrder } from './sample.ts';
import { fieldPositions, invalidsOf } from './sample-invalid.ts';

const nameOf = (path: string) => path.replace(/\[\d+\]/g, '');

const configs = Array.from({ length: 12 }, (_, seed) => sampleConfig({ seed }));

test.each(sectionsInOrder().map((page) => [page.key, page] as const))('%s refuses each invalid value at its field', (key, page) => {
  const seen = new Map<string, number>();
  const wrong: string[] = [];
  for (const docs of configs)
    for (const { path, field, value, with: put } of fieldPositions(page, docs.get(key) ?? {})) {
      if (seen.has(nameOf(path))) continue;
      const cases = invalidsOf(field, value);
      seen.set(nameOf(path), cases.length);
      for (const { why, value: bad } of cases) {
        const paths = readDocument(page, put(bad)).problems.map((problem) => problem.path);
        if (paths.join() !== path) wrong.push(`${path} ${why}: ${paths.join(' ') || 'taken'}`);
      }
    }
  expect(wrong).toEqual([]);
  expect([...seen].filter(([, cases]) => cases === 0)).toEqual([]);
});
