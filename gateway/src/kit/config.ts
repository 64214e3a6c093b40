import type { Fields } from '@farlink/contract/kit/field.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { singleText, type Values } from '@farlink/contract/kit/values.ts';
import { gatewayPages } from '../menu.ts';
import type { Json, JsonObject } from '../protocol/shape.ts';
import { factoryOf, keyOf, type ReadDocument, readFields, rowsOf } from './document.ts';
import { type GatewayPage, isSection } from './page.ts';
import type { ConfigProblem, DocOf, PageRule } from './problem.ts';

/** A field that refers to rows of other pages: `pages` can hold the row, `path` leads to the value. */
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

/** The values at a path of a document, each with its exact path. */
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
 * Problems that a change of some sections causes in the whole configuration: their own rules, references to missing rows, and removed rows
 * that are still referenced. `docOf` returns the new documents, `wasOf` the current ones.
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
    const isTouched = touched.has(section);
    const touchedTargets = pages.filter((page) => touched.has(page));
    if (!isTouched && touchedTargets.length === 0) continue;
    for (const { at, value } of valuesAt(docOf(section), path)) {
      const key = singleText(value) ?? '';
      if (pages.some((page) => has(page, key))) continue;
      if (isTouched) problems.push({ section, path: at, text: fill(noSuchRow, key) });
      const holder = touchedTargets.find((page) => keysOf(wasOf, page).has(key));
      const title = gatewayPages.get(section)?.title;
      if (!isTouched && holder && title) problems.push({ section: holder, path: 'rows', text: fill(inUse, key, title) });
    }
  }
  for (const page of sections) for (const rule of page.rules) problems.push(...broken(page, rule, touched, docOf, wasOf));
  return problems;
};

/** An unchanged page reports only new problems caused by the change of another page, and reports them on that page. */
const broken = (page: GatewayPage, rule: PageRule, touched: ReadonlySet<string>, docOf: DocOf, wasOf: DocOf): ConfigProblem[] => {
  const { key: section } = page;
  if (touched.has(section)) return rule.test(docOf(section), docOf, page).map(({ path, text }) => ({ section, path, text }));
  if (!rule.reads?.some((other) => touched.has(other))) return [];
  const found = rule.test(docOf(section), docOf, page);
  if (found.length === 0) return [];
  const old = new Set(rule.test(wasOf(section), wasOf, page).map(({ path }) => path));
  return found.filter(({ path }) => !old.has(path)).map(({ path, text, against }) => against ?? { section, path, text });
};

/** Problems of values that are not a section (action or wizard): fields, references, rules. */
export const checkValues = (page: GatewayPage, raw: Values, docOf: DocOf): ReadDocument => {
  const { doc, problems } = readFields(page.fields, raw);
  const missing = referencesOf(page.key, page.fields, []).flatMap(({ path, pages }) =>
    valuesAt(doc, path)
      .map(({ at, value }) => ({ at, key: singleText(value) ?? '' }))
      .filter(({ key }) => !pages.some((other) => keysOf(docOf, other).has(key)))
      .map(({ at, key }) => ({ path: at, text: fill(noSuchRow, key) })),
  );
  const ruled = problems.length > 0 ? [] : page.rules.flatMap((rule) => rule.test(doc, docOf, page));
  return { doc, problems: [...problems, ...missing, ...ruled.map(({ path, text }) => ({ path, text }))] };
};

/** Factory document of every section. */
export const factoryDocs: ReadonlyMap<string, JsonObject> = new Map(sections.map((page) => [page.key, factoryOf(page)]));
