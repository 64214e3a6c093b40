import type { TemplatePart, TemplateRow } from '@farlink/contract/config/config-template.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { isRecord, singleText } from '@farlink/contract/kit/values.ts';
import { readFields } from '@farlink/gateway/kit/document.ts';
import type { GatewayField, GatewayFields } from '@farlink/gateway/kit/field.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { pastTimes } from '@farlink/gateway/kit/past-times.ts';
import type { Problem } from '@farlink/gateway/kit/problem.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { withKeptSecrets } from './kept-secrets.ts';
import { openTemplatePart } from './template-part.ts';
import { builtInVariables, variablesIn } from './variables.ts';

/** Reads typed values as a template part. Each value is validated by itself, because the others come from other layers. */

const texts = {
  unknown: ['没有此字段', 'Field not found'],
  undeclared: ['变量 {0} 未在模板中声明', 'Variable {0} is not declared in the template'],
  noText: ['此字段不能使用变量', 'Variables cannot be used in this field'],
  key: ['请填写{0}', 'Please enter {0}'],
  duplicate: ['“{0}”重复', 'Duplicate "{0}"'],
  tooMany: ['最多{0}行', 'At most {0} rows'],
} as const satisfies Record<string, Text>;

/** Kinds that accept a text with variables. */
const textKinds: readonly string[] = ['text', 'long', 'password', 'int', 'ref'];

interface Read<T> {
  readonly value: T;
  readonly problems: readonly Problem[];
}

const optionalField = ({ when: _, ...field }: GatewayField): GatewayField => ({ ...field, required: false });

const readValue = (field: GatewayField, name: string, value: Json, declared: ReadonlySet<string>): Read<Json> => {
  if (value === null || value === '') return { value: null, problems: [] };
  const used = variablesIn(value);
  const unknown = used.find((one) => !declared.has(one));
  if (unknown !== undefined) return { value, problems: [{ path: name, text: fill(texts.undeclared, unknown) }] };
  if (used.length === 0) {
    const { doc, problems } = readFields({ [name]: optionalField(field) }, { [name]: value });
    return { value: doc[name] ?? null, problems };
  }
  const inner = field.items;
  if (inner && Array.isArray(value)) {
    const lines = value.map((line: Json, i): Read<Json> => {
      const read = isRecord(line) ? readSet(inner, asJson(line), declared) : { value: line, problems: [] };
      return { value: read.value, problems: read.problems.map(({ path, text }) => ({ path: `${name}[${i}].${path}`, text })) };
    });
    return { value: lines.map((line) => line.value), problems: lines.flatMap((line) => line.problems) };
  }
  const isText = typeof value === 'string' && textKinds.includes(field.kind);
  return { value, problems: isText ? [] : [{ path: name, text: texts.noText }] };
};

const asJson = (values: object): JsonObject => JSON.parse(JSON.stringify(values));

const readSet = (fields: GatewayFields, set: JsonObject, declared: ReadonlySet<string>): Read<JsonObject> => {
  const value: Record<string, Json> = {};
  const problems: Problem[] = [];
  for (const [name, raw] of Object.entries(set)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field || field.reported) {
      problems.push({ path: name, text: texts.unknown });
      continue;
    }
    const read = readValue(field, name, raw, declared);
    value[name] = read.value;
    problems.push(...read.problems);
  }
  return { value, problems };
};

const readRow = (page: GatewayPage, raw: Json, declared: ReadonlySet<string>): Read<TemplateRow> => {
  const { keyField = '' } = page;
  const { [keyField]: keyOf, ...fields } = page.fields;
  const { key: typed, only, set } = isRecord(raw) ? raw : {};
  const read = readSet(fields, isRecord(set) ? asJson(set) : {}, declared);
  const key = keyOf
    ? readValue(keyOf, keyField, typeof typed === 'number' ? typed : (singleText(typed) ?? ''), declared)
    : { value: null, problems: [] };
  const missing = key.value === null && keyOf ? [{ path: keyField, text: fill(texts.key, keyOf.label) }] : [];
  return {
    value: { key: String(key.value ?? ''), ...(only === true && { only: true }), set: read.value },
    problems: [...key.problems, ...missing, ...read.problems],
  };
};

const readRows = (page: GatewayPage, raw: Json | undefined, declared: ReadonlySet<string>): Read<TemplateRow[]> => {
  const rawRows: readonly Json[] = Array.isArray(raw) ? raw : [];
  const maxRows = page.maxRows ?? 0;
  // Checked before any row is read, so an oversized list stays cheap.
  if (rawRows.length > maxRows) return { value: [], problems: [{ path: 'rows', text: fill(texts.tooMany, maxRows) }] };
  const read = rawRows.map((row) => readRow(page, row, declared));
  const rows = read.map(({ value }) => value);
  const problems = read.flatMap((row, i) => row.problems.map(({ path, text }) => ({ path: `rows[${i}].${path}`, text })));
  const seen = new Set<string>();
  rows.forEach(({ key }, i) => {
    if (seen.has(key)) problems.push({ path: `rows[${i}].${page.keyField}`, text: fill(texts.duplicate, key) });
    seen.add(key);
  });
  return { value: rows, problems };
};

const docOf = (page: GatewayPage, part: TemplatePart): JsonObject =>
  page.kind === 'list' ? { rows: (part.rows ?? []).map(({ key, set }) => ({ ...set, [page.keyField ?? '']: key })) } : (part.set ?? {});

/** A masked secret that was sent back keeps its value; `was` has open secrets. */
const restoreSecrets = (page: GatewayPage, part: TemplatePart, was: TemplatePart | undefined): Read<TemplatePart> => {
  const { values, problems } = withKeptSecrets(page, docOf(page, part), was ? [docOf(page, was)] : []);
  if (page.kind !== 'list') return { value: { set: asJson(values) }, problems };
  const restored: unknown[] = Array.isArray(values.rows) ? values.rows : [];
  const rows = (part.rows ?? []).map((row, i): TemplateRow => {
    const { [page.keyField ?? '']: _, ...set } = isRecord(restored[i]) ? asJson(restored[i]) : {};
    return { ...row, set };
  });
  return { value: { rows }, problems };
};

interface TemplateContext {
  /** Names of the variables of the template. */
  readonly declared: readonly string[];
  /** The stored part of the template. */
  readonly was?: TemplatePart | undefined;
  readonly secretKey: Buffer;
  readonly now: number;
}

export const readTemplatePart = (
  page: GatewayPage,
  raw: JsonObject,
  { declared, was, secretKey, now }: TemplateContext,
): { readonly part: TemplatePart; readonly problems: readonly Problem[] } => {
  const before = was && openTemplatePart(page, was, secretKey);
  const names = new Set<string>([...declared, ...builtInVariables]);
  // Kept secrets are restored before validation, because the mask is not a valid value.
  const shown = restoreSecrets(page, rawTemplatePart(page, raw), before);
  const read: Read<TemplatePart> =
    page.kind === 'list'
      ? mapRead(readRows(page, asJson(shown.value).rows, names), (rows) => ({ rows }))
      : mapRead(readSet(page.fields, shown.value.set ?? {}, names), (set) => ({ set }));
  const known = new Set(shown.problems.map(({ path }) => path));
  const past = pastTimes(page, docOf(page, read.value), before ? [docOf(page, before)] : [], now);
  return { part: read.value, problems: [...shown.problems, ...read.problems.filter(({ path }) => !known.has(path)), ...past] };
};

const mapRead = <A, B>({ value, problems }: Read<A>, to: (value: A) => B): Read<B> => ({ value: to(value), problems });

const hasSet = (value: unknown) => isRecord(value) && (value.set === undefined || isRecord(value.set));

/** A page of fields has `set`, a list has `rows`; any other content would be lost. */
export const isTemplatePart = (page: GatewayPage, raw: JsonObject): boolean => {
  const name = page.kind === 'list' ? 'rows' : 'set';
  if (Object.keys(raw).some((key) => key !== name)) return false;
  return page.kind === 'list' ? Array.isArray(raw.rows) && raw.rows.every(hasSet) : isRecord(raw.set);
};

/** Reads only the structure that is needed to find the secrets. */
const rawTemplatePart = (page: GatewayPage, raw: JsonObject): TemplatePart => {
  if (page.kind !== 'list') return { set: isRecord(raw.set) ? asJson(raw.set) : {} };
  const rows = Array.isArray(raw.rows) ? raw.rows : [];
  return {
    rows: rows.map((row: Json) => {
      const { key, only, set } = isRecord(row) ? row : {};
      return { key: singleText(key) ?? '', only: only === true, set: isRecord(set) ? asJson(set) : {} };
    }),
  };
};
