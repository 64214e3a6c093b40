import { isEmpty, maxOf } from '@farlink/contract/kit/check.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import type { Rule } from '@farlink/contract/kit/rule.ts';
import { gatewayPages } from '../menu.ts';
import type { JsonObject } from '../protocol/shape.ts';
import { factoryDocs } from './config.ts';
import { keyOf, readDocument, rowsOf } from './document.ts';
import type { GatewayField, GatewayFields } from './field.ts';
import { type GatewayPage, isSection } from './page.ts';
import { fitted } from './sample-fit.ts';
import { fileNames, texts } from './sample-texts.ts';

/** A complete valid configuration, reproducible by seed, for tests and measurements. */

export interface SampleOptions {
  readonly seed: number;
  /** Number of rows of a list; default two. It is limited by the maximum and by the rows that can be referenced. */
  readonly rows?: (page: GatewayPage) => number;
  /** Existing documents: their rows stay, and new rows follow. */
  readonly base?: ReadonlyMap<string, JsonObject>;
  /** Fixed values of forms. */
  readonly fixed?: Readonly<Record<string, JsonObject>>;
  /** Size and hash of every file; default: those of the text `sample`. */
  readonly file?: { readonly size: number; readonly sha256: string };
}

export const sampleFile = { size: 6, sha256: 'af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf' };

const env = { passwordRule: defaultPasswordRule };
const passes = (rules: readonly Rule[], value: unknown) => rules.every((rule) => rule.test(value, {}, env));
const boundsOf = ({ rules }: GatewayField) => rules.find((rule) => rule.min !== undefined && rule.max !== undefined);

const sampleText = (name: string, field: GatewayField, n: number): string => {
  const maxLength = maxOf(field) ?? 64;
  return texts(name, n).find((text) => text.length <= maxLength && passes(field.rules, text)) ?? '';
};

/** Number of rows of a nested list. */
const lineCount = (field: GatewayField) => {
  const { min = 0, max = 2 } = boundsOf(field) ?? {};
  return Math.min(max, Math.max(min, 2));
};

/** Pseudo-random, so that two fields do not change in step. */
const shuffled = (name: string, turn: number): number => {
  let hash = turn + 1;
  for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x9e37_79b1) >>> 0;
  return (hash ^ (hash >>> 15)) >>> 0;
};

const day = 86_400;
const begin = 1_800_000_000;

interface SampleContext {
  /** The key field of the rows. */
  readonly key?: string | undefined;
  readonly docs: ReadonlyMap<string, JsonObject>;
  readonly seed: number;
  readonly file: { readonly size: number; readonly sha256: string };
}

const keysOf = ({ docs }: SampleContext, section: string): string[] => {
  const page = gatewayPages.get(section);
  return page ? rowsOf(docs.get(section) ?? {}).map((row) => keyOf(page, row)) : [];
};

/** One value of a field; `n` counts rows, so that values differ where possible. */
const oneOf = (name: string, field: GatewayField, n: number, context: SampleContext): unknown => {
  const { options = [], of = [] } = field;
  const turn = n + context.seed;
  switch (field.kind) {
    case 'bool':
      return name === 'enabled' || field.rules.length > 0 || shuffled(name, turn) % 2 === 0;
    case 'choice':
      return options[(name === context.key ? n : shuffled(name, turn)) % options.length]?.id;
    case 'int': {
      const { min = 0, max = 1000 } = boundsOf(field) ?? {};
      return min + (shuffled(name, turn) % (max - min + 1));
    }
    case 'time':
      return begin + turn * day;
    case 'clock':
      return `${String(turn % 24).padStart(2, '0')}:30`;
    case 'weekdays':
      return [1 + (turn % 6), 7];
    case 'polygon': {
      const lon = ((turn * 37) % 340) - 170;
      const lat = ((turn * 13) % 120) - 60;
      return [
        [lon, lat],
        [lon + 2.5, lat],
        [lon + 2.5, lat + 1.25],
        [lon, lat + 1.25],
      ];
    }
    case 'ref': {
      const keys = of.flatMap((section) => keysOf(context, section));
      return keys[n % Math.max(keys.length, 1)];
    }
    case 'file': {
      const named = fileNames.find((file) => passes(field.rules, { name: file, ...context.file }));
      return named && { name: named, ...context.file };
    }
    case 'items':
      return Array.from({ length: lineCount(field) }, (_, i) => valuesOf(field.items ?? {}, n * 2 + i, context));
    default:
      return sampleText(name, field, turn);
  }
};

/** Values of all visible fields; fields that control others come first. */
const valuesOf = (fields: GatewayFields, n: number, context: SampleContext): Record<string, unknown> => {
  const out: Record<string, unknown> = {};
  const remaining = new Map(Object.entries(fields).filter(([, { reported }]) => !reported));
  for (let before = -1; before !== remaining.size; ) {
    before = remaining.size;
    for (const [name, field] of remaining) {
      if (field.visibleIf && remaining.has(field.visibleIf[0])) continue;
      remaining.delete(name);
      // A number that makes other fields visible gets that value half of the time.
      const dependent =
        field.kind === 'int' && (n + context.seed) % 2 === 0 ? Object.values(fields).find((f) => f.visibleIf?.[0] === name) : undefined;
      const value = field.when?.(out) === false ? undefined : (dependent?.visibleIf?.[1] ?? oneOf(name, field, n, context));
      if (!isEmpty(value)) out[name] = value;
    }
  }
  return out;
};

const refsOf = (fields: GatewayFields): readonly string[] =>
  Object.values(fields).flatMap((field) => [...(field.of ?? []), ...(field.items ? refsOf(field.items) : [])]);

/** Each section follows the sections that it refers to. */
export const sectionsInOrder = (): readonly GatewayPage[] => {
  const done = new Map<string, GatewayPage>();
  const take = (page: GatewayPage | undefined) => {
    if (!page || done.has(page.key)) return;
    for (const key of refsOf(page.fields)) if (key !== page.key) take(gatewayPages.get(key));
    done.set(page.key, page);
  };
  for (const page of gatewayPages.values()) if (isSection(page)) take(page);
  return [...done.values()];
};

/** If the key refers to rows of other pages, each of those rows can be used once. */
const rowCount = (page: GatewayPage, requested: number, context: SampleContext) => {
  const key = page.fields[page.keyField ?? ''];
  const existing = key?.of ? key.of.flatMap((section) => keysOf(context, section)).length : (key?.options?.length ?? requested);
  return Math.min(page.maxRows ?? requested, requested, existing);
};

const docOf = (
  page: GatewayPage,
  context: SampleContext,
  rows: number,
  existing: readonly JsonObject[],
  fixed: JsonObject = {},
): JsonObject => {
  const made = (n: number) => fitted(page.key, valuesOf(page.fields, n, context), n, (section) => context.docs.get(section) ?? {});
  if (page.kind !== 'list') return readDocument(page, { ...made(0), ...fixed }).doc;
  const count = rowCount(page, rows, context);
  const more = Array.from({ length: Math.max(0, count - existing.length) }, (_, n) => made(existing.length + n));
  return readDocument(page, { rows: [...existing, ...more] }).doc;
};

export const sampleConfig = ({ seed, rows = () => 2, base = new Map(), fixed = {}, file = sampleFile }: SampleOptions) => {
  const docs = new Map([...factoryDocs, ...base]);
  for (const page of sectionsInOrder()) {
    const existing = rowsOf(base.get(page.key) ?? {});
    // New rows follow the existing ones; their number does not depend on them.
    const context = { docs, seed, file, key: page.keyField };
    docs.set(page.key, docOf(page, context, rows(page) + existing.length, existing, fixed[page.key]));
  }
  return docs;
};

/** Values for a page without stored content (action, wizard, terminal); they refer to rows of `docs`. */
export const sampleValues = (page: GatewayPage, docs: ReadonlyMap<string, JsonObject>, seed: number): JsonObject =>
  docOf(page, { docs, seed, file: sampleFile }, 1, []);
