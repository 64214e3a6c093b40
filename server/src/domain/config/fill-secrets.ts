import type { Fields } from '@farlink/contract/kit/field.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { documentFields } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';

const asObject = (value: Json | undefined): JsonObject | undefined => (isRecord(value) ? { ...value } : undefined);
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const fill = (fields: Fields, keyField: string | undefined, doc: JsonObject, base: JsonObject): JsonObject => {
  const out: Record<string, Json> = { ...doc };
  for (const [name, field] of Object.entries(fields)) {
    const inner = field.items;
    if (inner && Array.isArray(doc[name])) {
      const before = listOf(base[name]).map(asObject);
      // The first row of a key wins. A map is used, because a list may have 20,000 rows.
      const byKey = new Map(keyField === undefined ? [] : before.toReversed().map((one) => [one?.[keyField], one]));
      out[name] = listOf(doc[name]).map((line, i) => {
        const row = asObject(line);
        const was = keyField === undefined ? before[i] : byKey.get(row?.[keyField]);
        return row ? fill(inner, undefined, row, was ?? {}) : line;
      });
    } else if (field.secret && doc[name] === undefined && base[name] !== undefined) out[name] = base[name];
  }
  return out;
};

/** Adds secrets to a document without them: those of `base` in the same field of the same row. */
export const fillSecrets = (page: GatewayPage, doc: JsonObject, base: JsonObject): JsonObject =>
  fill(documentFields(page), page.keyField, doc, base);
