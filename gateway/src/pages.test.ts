import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkConfig } from './kit/config.ts';
import { factoryOf, readDocument } from './kit/document.ts';
import type { GatewayFields } from './kit/field.ts';
import { isSection } from './kit/page.ts';
import { gatewayMenu, gatewayPages } from './menu.ts';

const here = import.meta.dirname;
const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').length - 1;
const sources = readdirSync(join(here, 'pages'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
);

test('a page has less than 40 lines on average, including labels and shared choices', () => {
  const lines = [...sources.map((file) => join('pages', file)), 'choices.ts'].reduce((sum, file) => sum + linesOf(join(here, file)), 0);
  expect(gatewayPages.size).toBe(150);
  expect(lines / gatewayPages.size).toBeLessThan(40);
});

const fieldsOf = (fields: GatewayFields): string[] =>
  Object.entries(fields).flatMap(([name, field]) => [
    ...(field.of ?? []).map((page) => `${name}>${page}`),
    ...(field.items ? fieldsOf(field.items) : []),
  ]);

test('fields refer only to rows of list pages, and page keys are unique', () => {
  const named = [...gatewayPages.values()].flatMap(({ fields }) => fieldsOf(fields).map((one) => one.split('>')[1] ?? ''));
  expect(named.filter((key) => gatewayPages.get(key)?.kind !== 'list')).toEqual([]);
  expect(gatewayMenu.flatMap(({ pages }) => pages)).toHaveLength(gatewayPages.size);
});

test('factory values break no rule, except values that an operator must enter', () => {
  const sections = [...gatewayPages.values()].filter(isSection);
  const docOf = (section: string) => {
    const page = gatewayPages.get(section);
    return page ? factoryOf(page) : {};
  };
  expect(
    checkConfig(
      sections.map(({ key }) => key),
      docOf,
      docOf,
    ),
  ).toEqual([]);
  const faults = sections.flatMap((page) => readDocument(page, factoryOf(page)).problems.map(({ text }) => text[1]));
  expect(faults.filter((text) => !text.startsWith('Please '))).toEqual([]);
});

test('a text field keeps its unit and its write-only flag', () => {
  expect(gatewayPages.get('satellite_route_beam')?.fields.rx_frequency?.unit).toBe('MHz');
  expect(gatewayPages.get('hidden_raw_config')?.fields.content).toMatchObject({ kind: 'long', secret: true });
});
