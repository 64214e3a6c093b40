import { keptSecret } from '@farlink/contract/config/config.ts';
import type { TemplatePart } from '@farlink/contract/config/config-template.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { mapSecrets } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { openDoc, sealDoc } from '../../config-doc/sealed.ts';

/** Secrets in a template part are at the same paths as in a document of the page. */
const mapDocs = (page: GatewayPage, part: TemplatePart, change: (doc: JsonObject) => JsonObject): TemplatePart => {
  const keyField = page.keyField ?? '';
  if (page.kind !== 'list') return { set: change(part.set ?? {}) };
  return {
    rows: (part.rows ?? []).map((row) => {
      const { rows } = change({ rows: [{ ...row.set, [keyField]: row.key }] });
      const { [keyField]: _, ...set } = firstOf(rows);
      return { ...row, set };
    }),
  };
};

const firstOf = (rows: Json | undefined): JsonObject => {
  const [first]: readonly Json[] = Array.isArray(rows) ? rows : [];
  return isRecord(first) ? first : {};
};

export const sealTemplatePart = (page: GatewayPage, part: TemplatePart, key: Buffer) =>
  mapDocs(page, part, (doc) => sealDoc(page, doc, key));
export const openTemplatePart = (page: GatewayPage, part: TemplatePart, key: Buffer) =>
  mapDocs(page, part, (doc) => openDoc(page, doc, key));

/** Masked version for browsers and logs. A cleared secret is not masked. */
export const maskTemplatePart = (page: GatewayPage, part: TemplatePart) =>
  mapDocs(page, part, (doc) => mapSecrets(page, doc, (value) => (value === null ? null : keptSecret)));
