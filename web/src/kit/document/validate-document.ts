import { keptSecret } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { mapSecrets, readFields, rowsOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayFields } from '@farlink/gateway/kit/field.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { document, type JsonObject, parse } from '@farlink/gateway/protocol/shape.ts';
import { t } from '../chrome/lang.ts';

/** Errors by path: `targets[0].host`. */
export type PathErrors = Readonly<Record<string, string>>;

export interface Validation {
  readonly doc: JsonObject;
  readonly errors: PathErrors;
}

const again: Text = ['请重新输入', 'Please enter it again'];

/** Parses a document from the wire; invalid input gives an empty document. */
export const documentOf = (values: Values | null | undefined): JsonObject => {
  const read = parse(document, values ?? {});
  return 'value' in read ? read.value : {};
};

export const rowsIn = (values: Values | null | undefined): readonly JsonObject[] => rowsOf(documentOf(values));

/** Paths of secrets that the server can keep; rows are identified by key. */
export const secretPaths = (page: GatewayPage, ...docs: readonly (Values | null | undefined)[]): ReadonlySet<string> => {
  const paths = new Set<string>();
  for (const doc of docs)
    mapSecrets(page, documentOf(doc), (value, path) => {
      paths.add(path);
      return value;
    });
  return paths;
};

/** The paths at which these values keep a secret. */
const keptSecretsIn = (fields: GatewayFields, values: Values, at = ''): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const value = values[name];
    const inner = field.items;
    if (inner && Array.isArray(value))
      return value.flatMap((line, i) => (isRecord(line) ? keptSecretsIn(inner, line, `${at}${name}[${i}].`) : []));
    return value === keptSecret ? [`${at}${name}`] : [];
  });

/** Validates like the server. A kept secret is unknown here, so it is valid if one is stored. */
export const validateDocument = (fields: GatewayFields, raw: Values, isKept: (path: string) => boolean): Validation => {
  const { doc, problems } = readFields(fields, raw);
  const keptPaths = new Set(keptSecretsIn(fields, raw));
  const errors = Object.fromEntries(problems.flatMap(({ path, text }) => (keptPaths.has(path) ? [] : [[path, t(text)]])));
  for (const path of keptPaths) if (!isKept(path)) errors[path] = t(again);
  return { doc, errors };
};
