import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';

const known = new WeakMap<JsonObject, string>();

/** The hash of a document that nobody changes any more: worked out once, however often it is asked for. */
export const docHash = (doc: JsonObject): string => {
  const hash = known.get(doc) ?? hashOf(doc);
  known.set(doc, hash);
  return hash;
};
