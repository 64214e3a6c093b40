import type { Fields } from '@farlink/contract/kit/field.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { documentFields } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { type FileValue, isFile } from '@farlink/gateway/kit/rules.ts';
import type { Json } from '@farlink/gateway/protocol/shape.ts';

export interface NamedFile {
  /** Path in the document: `rows[2].cert_file`. */
  readonly path: string;
  readonly file: FileValue;
  readonly secret: boolean;
}

const named = (fields: Fields, values: Readonly<Record<string, unknown>>, at: string): NamedFile[] =>
  Object.entries(values).flatMap(([name, value]): NamedFile[] => {
    const field = fields[name];
    const inner = field?.items;
    if (inner && Array.isArray(value)) return value.flatMap((one, i) => (isRecord(one) ? named(inner, one, `${at}${name}[${i}].`) : []));
    return field?.kind === 'file' && isFile(value) ? [{ path: `${at}${name}`, file: value, secret: field.secret === true }] : [];
  });

/** Files that an open document refers to. */
export const filesOf = (page: GatewayPage, doc: Readonly<Record<string, Json>>): NamedFile[] => named(documentFields(page), doc, '');

/** Key of a content in the file store. */
export const fileKey = (sha256: string, secret: boolean) => `config/${sha256}${secret ? '.sealed' : ''}`;
