import type { Fields } from '@farlink/contract/kit/field.ts';
import { documentFields } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { type FileValue, isFile } from '@farlink/gateway/kit/rules.ts';
import { isObject, type Json } from '@farlink/gateway/protocol/shape.ts';

export interface NamedFile {
  /** Where the document names it: `rows[2].cert_file`. */
  readonly path: string;
  readonly file: FileValue;
  readonly secret: boolean;
}

const named = (fields: Fields, values: Readonly<Record<string, unknown>>, at: string): NamedFile[] =>
  Object.entries(values).flatMap(([name, value]): NamedFile[] => {
    const field = fields[name];
    const inner = field?.items;
    if (inner && Array.isArray(value)) return value.flatMap((one, i) => (isObject(one) ? named(inner, one, `${at}${name}[${i}].`) : []));
    return field?.kind === 'file' && isFile(value) ? [{ path: `${at}${name}`, file: value, secret: field.secret === true }] : [];
  });

/** The files that an open document names. */
export const filesOf = (page: GatewayPage, doc: Readonly<Record<string, Json>>): NamedFile[] => named(documentFields(page), doc, '');

/** Under which a content is in the file store. */
export const fileKey = (sha256: string, secret: boolean) => `config/${sha256}${secret ? '.sealed' : ''}`;
