import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { gatewayPages } from '../menu.ts';
import { checkConfig, factoryDocs } from './config.ts';
import { readDocument } from './document.ts';
import type { GatewayFields } from './field.ts';
import { isSection } from './page.ts';
import { sampleConfig, sampleFile } from './sample.ts';

const sections = [...gatewayPages.values()].filter(isSection);
const factory = (section: string) => factoryDocs.get(section) ?? {};

/** Every editable field, including nested ones. */
const namesOf = (fields: GatewayFields, at: string): string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.reported ? [] : [`${at}.${name}`, ...(field.items ? namesOf(field.items, `${at}.${name}`) : [])],
  );
const pathsIn = (value: unknown, at: string): string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => pathsIn(one, at));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [`${at}.${name}`, ...pathsIn(one, `${at}.${name}`)]);
};

describe('a sample configuration', () => {
  test.each([0, 1, 2, 3, 5, 11])('of seed %i breaks no rule', (seed) => {
    const docs = sampleConfig({ seed });
    expect(
      sections.flatMap((page) => readDocument(page, docs.get(page.key) ?? {}).problems.map((p) => `${page.key} ${p.path} ${p.text[1]}`)),
    ).toEqual([]);
    expect(
      sections.filter((page) => JSON.stringify(readDocument(page, docs.get(page.key) ?? {}).doc) !== JSON.stringify(docs.get(page.key))),
    ).toEqual([]);
    expect(checkConfig([...docs.keys()], (section) => docs.get(section) ?? {}, factory)).toEqual([]);
  });

  test('is identical for the same seed and different for another seed', () => {
    expect([...sampleConfig({ seed: 1 })]).toEqual([...sampleConfig({ seed: 1 })]);
    expect([...sampleConfig({ seed: 1 })]).not.toEqual([...sampleConfig({ seed: 2 })]);
  });

  test('fills every field of every page within a few seeds', () => {
    const filled = new Set(
      Array.from({ length: 12 }, (_, seed) => [...sampleConfig({ seed })].flatMap(([page, doc]) => pathsIn(doc.rows ?? doc, page))).flat(),
    );
    expect(sections.flatMap((page) => namesOf(page.fields, page.key)).filter((name) => !filled.has(name))).toEqual([]);
  });

  test('is also valid with 60 rows in each list', () => {
    const docs = sampleConfig({ seed: 4, rows: () => 60 });
    expect(checkConfig([...docs.keys()], (section) => docs.get(section) ?? {}, factory)).toEqual([]);
    expect(docs.get('auth_local_user')?.rows).toHaveLength(60);
  });

  test('has the size and the hash of the sample file', () => {
    expect(sampleFile).toEqual({ size: 6, sha256: createHash('sha256').update('sample').digest('hex') });
  });
});
