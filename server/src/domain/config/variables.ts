import type { Text } from '@farlink/contract/kit/text.ts';
import { fill } from '@farlink/contract/kit/text.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import type { Json } from '@farlink/gateway/protocol/shape.ts';

/** Placeholder in a template text; `$${` is a literal `${`. */
const variablePattern = /\$\$\{|\$\{([^{}]*)\}/g;

export const builtInVariables = ['device.name', 'device.sn', 'vno.name', 'group.name'] as const;

/** A variable value. A secret one may be used only in a secret field. */
export interface VariableValue {
  readonly value: string;
  readonly secret?: boolean;
  /** Secret of a VNO above the author of the template. The author could read it on their own device, so it is refused. */
  readonly closed?: boolean;
}
/** Undefined: the variable has no value. */
export type Lookup = (name: string) => VariableValue | undefined;

/** Variables in a value, at any depth. */
export const variablesIn = (value: Json | undefined): string[] => {
  if (typeof value === 'string') return [...value.matchAll(variablePattern)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  if (Array.isArray(value)) return value.flatMap(variablesIn);
  return value !== undefined && isRecord(value) ? Object.values(value).flatMap(variablesIn) : [];
};

const missingText: Text = ['变量 {0} 没有取值', 'Variable {0} has no value'];
const secretText: Text = ['变量 {0} 是保密变量，只能用于保密字段', 'Variable {0} is secret and can only be used in secret fields'];

const closedText: Text = [
  '变量 {0} 是上级运营商的保密变量，不能用于本模板',
  'Variable {0} is a secret of an operator above and cannot be used in this template',
];

export interface Expanded {
  readonly value: Json;
  readonly problems: readonly Text[];
}

/** Replaces the variables by their values. `isSecret`: the field is secret, so secret variables are allowed. */
export const expand = (value: Json, lookup: Lookup, isSecret = false): Expanded => {
  const problems: Text[] = [];
  const put = (text: string) =>
    text.replace(variablePattern, (match, name: string | undefined) => {
      if (name === undefined) return `\${`;
      const found = lookup(name);
      if (!found) problems.push(fill(missingText, name));
      else if (found.closed) problems.push(fill(closedText, name));
      else if (found.secret && !isSecret) problems.push(fill(secretText, name));
      else return found.value;
      return match;
    });
  const walk = (one: Json): Json => {
    if (typeof one === 'string') return put(one);
    if (Array.isArray(one)) return one.map(walk);
    return isRecord(one) ? Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, walk(inner)])) : one;
  };
  return { value: walk(value), problems };
};
