import { check, overLimit } from '@farlink/contract/kit/check.ts';
import { type Fields, items } from '@farlink/contract/kit/field.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import { singleText, type Values } from '@farlink/contract/kit/values.ts';
import { isObject, type Json, type JsonObject } from '../protocol/shape.ts';
import type { GatewayFields } from './field.ts';
import type { GatewayPage } from './page.ts';
import type { Problem } from './problem.ts';
import { countWithin, mac, ticked } from './rules.ts';

/** A document is the content of a section: the values of a form, or the `rows` of a list. Empty values are omitted. */

/** Configuration rules do not use the settings of the console. */
const env = { passwordRule: defaultPasswordRule };

/** Fields of a document of this page. */
export const documentFields = (page: GatewayPage): GatewayFields =>
  page.kind === 'list' ? { rows: items(page.title, page.fields, { rules: [countWithin(0, page.maxRows ?? 0)] }) } : page.fields;

const toJson = (value: unknown): Json | undefined => {
  if (value === null || value === undefined || value === '') return undefined;
  // Elements are converted one by one, because a polygon corner is a list too.
  if (Array.isArray(value)) return value.map(toJson).filter((one) => one !== undefined);
  if (isObject(value)) return compact(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
};

const compact = (values: Values): JsonObject => {
  const out: Record<string, Json> = {};
  for (const [name, value] of Object.entries(values)) {
    const json = toJson(value);
    if (json !== undefined && !(Array.isArray(json) && json.length === 0 && name !== 'rows')) out[name] = json;
  }
  return out;
};

/** Initial values of a new form or row: the defaults of all visible fields. */
export const initialValues = (fields: GatewayFields): JsonObject => {
  const start: Record<string, unknown> = {};
  for (const [name, { kind, default: value, reported }] of Object.entries(fields))
    if (!reported) start[name] = value ?? (kind === 'bool' ? false : undefined);
  const visible = Object.entries(start).filter(([name]) => fields[name]?.when?.(start) !== false);
  return compact(Object.fromEntries(visible));
};

/** Factory document. */
export const factoryOf = (page: GatewayPage): JsonObject => (page.kind === 'list' ? { rows: [] } : initialValues(page.fields));

/** Keeps declared and visible fields that are not reported by the gateway. */
const editableValues = (fields: GatewayFields, values: Values): Values => {
  const out: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    // A missing confirmation counts as false.
    const value = values[name] ?? (field.rules.includes(ticked) ? false : undefined);
    if (field.reported || value === undefined || value === null || field.when?.(values) === false) continue;
    const inner = field.items;
    out[name] =
      inner && Array.isArray(value) && !overLimit(field, value)
        ? value.map((one) => (isObject(one) ? editableValues(inner, one) : one))
        : value;
  }
  return out;
};

const duplicateText = ['与第{0}行重复', 'Duplicate of line {0}'] as const;

/** Row keys must be unique. MAC addresses ignore case. */
const duplicateKeys = ({ keyField, fields }: GatewayPage, doc: JsonObject): Problem[] => {
  if (keyField === undefined) return [];
  const isMac = fields[keyField]?.rules.includes(mac) === true;
  const seen = new Map<Json | undefined, number>();
  return rowsOf(doc).flatMap((row, i): Problem[] => {
    const key = isMac ? singleText(row[keyField])?.toLowerCase() : row[keyField];
    if (key === undefined) return [];
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, i);
      return [];
    }
    const [zh, en] = duplicateText;
    return [{ path: `rows[${i}].${keyField}`, text: [zh.replace('{0}', String(first + 1)), en.replace('{0}', String(first + 1))] }];
  });
};

export interface ReadDocument {
  readonly doc: JsonObject;
  readonly problems: readonly Problem[];
}

/** Parses operator input or a document of a gateway. Browser, server and gateway get the same result. */
export const readFields = (fields: GatewayFields, raw: Values): ReadDocument => {
  const { values, errors } = check(fields, editableValues(fields, raw), env);
  const lists = new Set(Object.keys(errors).flatMap(listsAbove));
  return {
    doc: compact(values),
    // A problem of a list is omitted if its rows have their own problems.
    problems: Object.entries(errors).flatMap(([path, text]) => (lists.has(path) ? [] : [{ path, text }])),
  };
};

/** Lists that contain a path: `rows` and `rows[0].ports` of `rows[0].ports[2].port`. */
export const listsAbove = (path: string): string[] => [...path.matchAll(/\[/g)].map(({ index }) => path.slice(0, index));

export const readDocument = (page: GatewayPage, raw: Values): ReadDocument => {
  const { doc, problems } = readFields(documentFields(page), page.kind === 'list' ? { rows: [], ...raw } : raw);
  const isWhole = problems.every(({ path }) => path !== 'rows');
  return {
    doc: page.kind === 'list' ? { rows: [], ...doc } : doc,
    problems: isWhole ? [...problems, ...duplicateKeys(page, doc)] : problems,
  };
};

/** Rows per step: a few milliseconds of work. */
export const rowsPerStep = 500;

/** The slices of a long list; empty if one step is enough. */
export const slicesOf = <T>(rows: readonly T[]): readonly (readonly T[])[] =>
  rows.length <= rowsPerStep
    ? []
    : Array.from({ length: Math.ceil(rows.length / rowsPerStep) }, (_, i) => rows.slice(i * rowsPerStep, (i + 1) * rowsPerStep));

const shiftPath = (path: string, rows: number) => path.replace(/^rows\[(\d+)\]/, (_, i: string) => `rows[${Number(i) + rows}]`);

/** `readDocument` in steps: the caller can do other work between two of them. */
export function* readDocumentInSteps(page: GatewayPage, raw: Values): Generator<void, ReadDocument> {
  const rawRows: readonly unknown[] = Array.isArray(raw.rows) ? raw.rows : [];
  const slices = page.kind === 'list' && rawRows.length <= (page.maxRows ?? 0) && rawRows.every(isObject) ? slicesOf(rawRows) : [];
  if (slices.length === 0) return readDocument(page, raw);
  const fields = documentFields(page);
  const rows: Json[] = [];
  const problems: Problem[] = [];
  for (const [i, slice] of slices.entries()) {
    const read = readFields(fields, { rows: slice });
    if (Array.isArray(read.doc.rows)) rows.push(...read.doc.rows);
    for (const { path, text } of read.problems) problems.push({ path: shiftPath(path, i * rowsPerStep), text });
    yield;
  }
  const doc = { rows };
  return { doc, problems: [...problems, ...duplicateKeys(page, doc)] };
}

export const rowsOf = (doc: JsonObject): readonly JsonObject[] => (Array.isArray(doc.rows) ? doc.rows.filter(isDocument) : []);

/** Key by which other rows refer to this row. */
export const keyOf = (page: GatewayPage, row: JsonObject): string => singleText(row[page.keyField ?? '']) ?? '';

export const isDocument = (value: Json): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Maps every secret of a document; undefined removes it. `path` uses row keys, so it does not depend on the row order. */
export const mapSecrets = (page: GatewayPage, doc: JsonObject, change: (value: Json, path: string) => Json | undefined): JsonObject =>
  walk(documentFields(page), doc, page.keyField, '', change);

const walk = (
  fields: Fields,
  doc: JsonObject,
  keyField: string | undefined,
  at: string,
  change: (value: Json, path: string) => Json | undefined,
): JsonObject => {
  const out: Record<string, Json> = {};
  for (const [name, value] of Object.entries(doc)) {
    const field = fields[name];
    const inner = field?.items;
    if (inner && Array.isArray(value))
      out[name] = value.map((one, i) => {
        if (!isDocument(one)) return one;
        const known = (name === 'rows' && keyField !== undefined ? singleText(one[keyField]) : undefined) ?? String(i);
        return walk(inner, one, undefined, `${at}${name}[${known}].`, change);
      });
    else {
      const changed = field?.secret ? change(value, `${at}${name}`) : value;
      if (changed !== undefined) out[name] = changed;
    }
  }
  return out;
};

export const hasSecrets = (fields: Fields): boolean =>
  Object.values(fields).some((field) => field.secret === true || (field.items !== undefined && hasSecrets(field.items)));
