import { keptSecret } from '@farlink/contract/config/config.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { mapSecrets, rowsOf, slicesOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { open, seal } from '../kit/session/secret.ts';

/**
 * Secrets of a document are sealed in storage, opened only to send or compare them, and never sent to a browser. The hash of a document is
 * computed on the open document, as the gateway does.
 */

/** Form of a sealed secret in a stored document. */
const isSealed = (value: Json): value is { readonly sealed: string } =>
  isRecord(value) && typeof value.sealed === 'string' && Object.keys(value).length === 1;

/** Input is an open document. A value that only looks sealed is sealed again, because it could not be opened. */
export const sealDoc = (page: GatewayPage, doc: JsonObject, key: Buffer): JsonObject =>
  mapSecrets(page, doc, (value) => ({ sealed: seal(key, JSON.stringify(value)) }));

export const openDoc = (page: GatewayPage, doc: JsonObject, key: Buffer): JsonObject =>
  mapSecrets(page, doc, (value): Json => (isSealed(value) ? JSON.parse(open(key, value.sealed)) : value));

/** Processes a long list some rows at a time. */
function* rowsInSteps(doc: JsonObject, work: (chunk: JsonObject) => JsonObject): Generator<void, JsonObject> {
  const slices = Array.isArray(doc.rows) ? slicesOf<Json>(doc.rows) : [];
  if (slices.length === 0) return work(doc);
  const rows: Json[] = [];
  for (const slice of slices) {
    rows.push(...rowsOf(work({ rows: slice })));
    yield;
  }
  return { ...doc, rows };
}

export const sealInSteps = (page: GatewayPage, doc: JsonObject, key: Buffer) => rowsInSteps(doc, (chunk) => sealDoc(page, chunk, key));
export const openInSteps = (page: GatewayPage, doc: JsonObject, key: Buffer) => rowsInSteps(doc, (chunk) => openDoc(page, chunk, key));

/** Masked version for browsers, logs and files. */
export const maskDoc = (page: GatewayPage, doc: JsonObject): JsonObject => mapSecrets(page, doc, () => keptSecret);
