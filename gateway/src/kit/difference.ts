import type { Fields } from '@farlink/contract/kit/field.ts';
import { canonical } from '../protocol/canonical.ts';
import type { Json, JsonObject } from '../protocol/shape.ts';
import { documentFields, keyOf, rowsOf } from './document.ts';
import type { GatewayPage } from './page.ts';

/** One changed value. A secret shows only that it changed. */
export interface Difference {
  readonly what: 'added' | 'removed' | 'changed';
  /** Key of the row on a list page; null: the field itself. */
  readonly row: string | null;
  /** Null: the whole row. */
  readonly field: string | null;
  readonly before: Json;
  readonly after: Json;
}

const same = (a: Json | undefined, b: Json | undefined) => canonical(a ?? null) === canonical(b ?? null);

const between = (fields: Fields, row: string | null, before: JsonObject, after: JsonObject): Difference[] =>
  Object.keys(fields).flatMap((field): Difference[] => {
    if (same(before[field], after[field])) return [];
    const what = before[field] === undefined ? 'added' : after[field] === undefined ? 'removed' : 'changed';
    return [{ what, row, field, before: before[field] ?? null, after: after[field] ?? null }];
  });

/** Changes from one document of a page to another: rows by their key, in the order of the new document. */
export const differences = (page: GatewayPage, before: JsonObject, after: JsonObject): Difference[] => {
  if (page.kind !== 'list') return between(documentFields(page), null, before, after);
  const was = new Map(rowsOf(before).map((row) => [keyOf(page, row), row]));
  const now = new Map(rowsOf(after).map((row) => [keyOf(page, row), row]));
  const removed = [...was].filter(([key]) => !now.has(key));
  return [
    ...[...now].flatMap(([key, row]): Difference[] => {
      const old = was.get(key);
      return old ? between(page.fields, key, old, row) : [{ what: 'added', row: key, field: null, before: null, after: row }];
    }),
    ...removed.map(([key, row]): Difference => ({ what: 'removed', row: key, field: null, before: row, after: null })),
  ];
};
