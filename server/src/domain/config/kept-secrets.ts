import { keptSecret } from '@farlink/contract/config/config.ts';
import type { Fields } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { documentFields } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { Problem } from '@farlink/gateway/kit/problem.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';

const again: Text = ['请重新输入', 'Please enter it again'];

interface DocPath {
  readonly fields: Fields;
  /** Documents that may contain the secret at the same path. The first one that has it wins. */
  readonly bases: readonly Values[];
  readonly at: string;
}

/** Finds a row of one list in another: by key on list pages, else by index. */
const finder = (list: unknown, keyField: string | undefined): ((row: Values, i: number) => Values[]) => {
  if (!Array.isArray(list)) return () => [];
  const rows: readonly unknown[] = list;
  const found = (row: unknown) => (isRecord(row) ? [row] : []);
  if (keyField === undefined) return (_, i) => found(rows[i]);
  // The first row wins, as everywhere: a list from the gateway may contain a key twice.
  const byKey = new Map<unknown, Values>(
    rows
      .flatMap(found)
      .toReversed()
      .map((row) => [row[keyField], row]),
  );
  return (row) => found(byKey.get(row[keyField]));
};

const restore = (values: Values, keyField: string | undefined, { fields, bases, at }: DocPath, missing: Problem[]): Values => {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name];
    const inner = field?.items;
    if (inner && Array.isArray(value)) {
      const finders = bases.map((base) => finder(base[name], keyField));
      out[name] = value.map((one: unknown, i) => {
        if (!isRecord(one)) return one;
        const position = { fields: inner, bases: finders.flatMap((find) => find(one, i)), at: `${at}${name}[${i}].` };
        return restore(one, undefined, position, missing);
      });
    } else if (field?.secret && value === keptSecret) {
      const base = bases.find((one) => one[name] !== undefined);
      if (base) out[name] = base[name];
      else missing.push({ path: `${at}${name}`, text: again });
    } else out[name] = value;
  }
  return out;
};

/**
 * Restores the unchanged secrets of a document sent by a browser: from the first of `bases` that has one at the same path. If none has it,
 * the secret must be entered again.
 */
export const withKeptSecrets = (page: GatewayPage, raw: Values, bases: readonly JsonObject[]): { values: Values; problems: Problem[] } => {
  const problems: Problem[] = [];
  return { values: restore(raw, page.keyField, { fields: documentFields(page), bases, at: '' }, problems), problems };
};
