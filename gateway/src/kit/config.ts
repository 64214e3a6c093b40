import type { Fields, Values } from '@farlink/contract/kit/field.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { gatewayPages } from '../menu.ts';
import type { Json, JsonObject } from '../protocol/shape.ts';
import { factoryOf, keyOf, type ReadDocument, readFields, rowsOf } from './document.ts';
import { type GatewayPage, isSection } from './page.ts';
import type { ConfigProblem, DocOf, PageRule } from './problem.ts';

/** Where a page names rows of others: `pages` may hold the row, `path` leads to the value. */
interface Reference {
  readonly section: string;
  readonly path: readonly string[];
  readonly pages: readonly string[];
}

const referencesOf = (section: string, fields: Fields, path: readonly string[]): Reference[] =>
  Object.entries(fields).flatMap(([name, field]): Reference[] => {
    if (field.of) return [{ section, path: [...path, name], pages: field.of }];
    return field.items ? referencesOf(section, field.items, [...path, name]) : [];
  });

const sections = [...gatewayPages.values()].filter(isSection);
const references = sections.flatMap((page) => referencesOf(page.key, page.fields, page.kind === 'list' ? ['rows'] : []));

/** The values at a path of a document, and where each stands. */
const valuesAt = (doc: Json | undefined, path: readonly string[], at = ''): { readonly at: string; readonly value: Json }[] => {
  if (doc === undefined || doc === null) return [];
  if (Array.isArray(doc)) return doc.flatMap((one, i) => valuesAt(one, path, `${at}[${i}]`));
  const [name, ...rest] = path;
  if (name === undefined) return [{ at, value: doc }];
  return typeof doc === 'object' ? valuesAt(asObject(doc)[name], rest, at ? `${at}.${name}` : name) : [];
};
const asObject = (doc: object): JsonObject => ({ ...doc });

export const keysOf = (docOf: DocOf, section: string): ReadonlySet<string> => {
  const page = gatewayPages.get(section);
  return new Set(page ? rowsOf(docOf(section)).map((row) => keyOf(page, row)) : []);
};

const noSuchRow: Text = ['“{0}”已不存在，请重新选择', '"{0}" no longer exists. Select another.'];
const inUse: Text = ['“{0}”正被{1}使用，不能删除', '"{0}" is used by {1} and cannot be deleted'];

/**
 * What a change of some sections would break in the whole configuration: each of their own rules, names of rows that are not there, and
 * rows that others still name. `docOf` answers as it would stand, `wasOf` as it stands.
 */
export const checkConfig = (changed: readonly string[], docOf: DocOf, wasOf: DocOf): ConfigProblem[] => {
  const touched = new Set(changed);
  const keys = new Map<string, ReadonlySet<string>>();
  const has = (section: string, key: string) => {
    const known = keys.get(section) ?? keysOf(docOf, section);
    keys.set(section, known);
    return known.has(key);
  };
  const problems: ConfigProblem[] = [];
  for (const { section, path, pages } of references) {
    const [mine, theirs] = [touched.has(section), pages.filter((page) => touched.has(page))];
    if (!mine && theirs.length === 0) continue;
    for (const { at, value } of valuesAt(docOf(section), path)) {
      const key = String(value);
      if (pages.some((page) => has(page, key))) continue;
      if (mine) problems.push({ section, path: at, text: fill(noSuchRow, key) });
      const holder = theirs.find((page) => keysOf(wasOf, page).has(key));
      const title = gatewayPages.get(section)?.title;
      if (!mine && holder && title) problems.push({ section: holder, path: 'rows', text: fill(inUse, key, title) });
    }
  }
  for (const page of sections) for (const rule of page.rules) problems.push(...broken(page, rule, touched, docOf, wasOf));
  return problems;
};

/** A rule of a page that nobody touched speaks only of what the change of another page has broken, and speaks there. */
const broken = (page: GatewayPage, rule: PageRule, touched: ReadonlySet<string>, docOf: DocOf, wasOf: DocOf): ConfigProblem[] => {
  const { key: section } = page;
  if (touched.has(section)) return rule.test(docOf(section), docOf, page).map(({ path, text }) => ({ section, path, text }));
  if (!rule.reads?.some((other) => touched.has(other))) return [];
  const found = rule.test(docOf(section), docOf, page);
  if (found.length === 0) return [];
  const old = new Set(rule.test(wasOf(section), wasOf, page).map(({ path }) => path));
  return found.filter(({ path }) => !old.has(path)).map(({ path, text, against }) => against ?? { section, path, text });
};

/** What values that are no section (of a deed, of a guide) break: fields, names of rows, rules. */
export const checkValues = (page: GatewayPage, raw: Values, docOf: DocOf): ReadDocument => {
  const { doc, problems } = readFields(page.fields, raw);
  const missing = referencesOf(page.key, page.fields, []).flatMap(({ path, pages }) =>
    valuesAt(doc, path)
      .filter(({ value }) => !pages.some((other) => keysOf(docOf, other).has(String(value))))
      .map(({ at, value }) => ({ path: at, text: fill(noSuchRow, String(value)) })),
  );
  const ruled = problems.length > 0 ? [] : page.rules.flatMap((rule) => rule.test(doc, docOf, page));
  return { doc, problems: [...problems, ...missing, ...ruled.map(({ path, text }) => ({ path, text }))] };
};

/** Factory's word on every section. */
export const factoryDocs: ReadonlyMap<string, JsonObject> = new Map(sections.map((page) => [page.key, factoryOf(page)]));
