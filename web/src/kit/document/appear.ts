import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayFields } from '@farlink/gateway/kit/field.ts';

const isThere = (fields: GatewayFields, name: string, values: Values) => fields[name]?.when?.(values) !== false;

/** Fields that become visible by a change get their defaults, also recursively. */
export const appeared = (fields: GatewayFields, before: Values, after: Values): Values => {
  const fresh = Object.entries(fields).filter(
    ([name, field]) =>
      !field.reported &&
      after[name] === undefined &&
      (field.default !== undefined || field.kind === 'bool') &&
      isThere(fields, name, after) &&
      !isThere(fields, name, before),
  );
  if (fresh.length === 0) return after;
  const filled = { ...after, ...Object.fromEntries(fresh.map(([name, field]) => [name, field.default ?? false])) };
  return appeared(fields, after, filled);
};
