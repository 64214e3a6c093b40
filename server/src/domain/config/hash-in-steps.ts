import { createHash } from 'node:crypto';
import { slicesOf } from '@farlink/gateway/kit/document.ts';
import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';

/** `hashOf` in steps of some rows, for long lists. */
export function* hashInSteps(doc: JsonObject): Generator<void, string> {
  const slices = Array.isArray(doc.rows) && Object.keys(doc).length === 1 ? slicesOf<Json>(doc.rows) : [];
  if (slices.length === 0) return hashOf(doc);
  const hash = createHash('sha256').update('{"rows":[');
  for (const [i, slice] of slices.entries()) {
    hash.update(`${i === 0 ? '' : ','}${slice.map(canonical).join(',')}`);
    yield;
  }
  return hash.update(']}').digest('hex').slice(0, 32);
}
