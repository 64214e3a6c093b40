import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';

const known = new WeakMap<JsonObject, string>();

/** Cached hash of a document. The document must not be changed afterwards. */
export const docHash = (doc: JsonObject): string => {
  const hash = known.get(doc) ?? hashOf(doc);
  known.set(doc, hash);
  return hash;
};
