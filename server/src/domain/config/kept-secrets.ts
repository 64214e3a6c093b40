import { keptSecret } from '@farlink/contract/config/config.ts';
import type { Fields, Values } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { documentFields } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { Problem } from '@farlink/gateway/kit/problem.ts';
import { isObject, type JsonObject } from '@farlink/gateway/protocol/shape.ts';

const again: Text = ['请重新输入', 'Please enter it again'];

interface Place {
  readonly fields: Fields;
  /** Documents that the secret may stand in, at the same place; the first that has it counts. */
  readonly bases: readonly Values[];
  readonly at: string;
}

/** Rows of a list are the same while they have the same key, other rows while they have the same place. */
const sameRow = (bases: readonly unknown[], keyField: string | undefined, row: Values, i: number): Values[] =>
  bases.flatMap((list): Values[] => {
    if (!Array.isArray(list)) return [];
    const found: unknown = keyField === undefined ? list[i] : list.find((one) => isObject(one) && one[keyField] === row[keyField]);
    return isObject(found) ? [found] : [];
  });

const restore = (values: Values, keyField: string | undefined, { fields, bases, at }: Place, missing: Problem[]): Values => {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name];
    const inner = field?.items;
    if (inner && Array.isArray(value)) {
      const lists = bases.map((base) => base[name]);
      out[name] = value.map((one: unknown, i) =>
        isObject(one)
          ? restore(one, undefined, { fields: inner, bases: sameRow(lists, keyField, one, i), at: `${at}${name}[${i}].` }, missing)
          : one,
      );
    } else if (field?.secret && value === keptSecret) {
      const base = bases.find((one) => one[name] !== undefined);
      if (base) out[name] = base[name];
      else missing.push({ path: `${at}${name}`, text: again });
    } else out[name] = value;
  }
  return out;
};

/**
 * What came from a browser, with the secrets that it left as they are put back in: those of the first of `bases`, open documents, that
 * has one at the same place. Where there is none, it must be entered again.
 */
export const withKeptSecrets = (page: GatewayPage, raw: Values, bases: readonly JsonObject[]): { values: Values; problems: Problem[] } => {
  const problems: Problem[] = [];
  return { values: restore(raw, page.keyField, { fields: documentFields(page), bases, at: '' }, problems), problems };
};
