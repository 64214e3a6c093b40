import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayFields } from '@farlink/gateway/kit/field.ts';

const isShown = (fields: GatewayFields, name: string, values: Values) => fields[name]?.when?.(values) !== false;

/** Fields that become visible by a change get their defaults, also recursively. */
export const fillShownDefaults = (fields: GatewayFields, before: Values, after: Values): Values => {
  const shown = Object.entries(fields).filter(
    ([name, field]) =>
      !field.reported &&
      after[name] === undefined &&
      (field.default !== undefined || field.kind === 'bool') &&
      isShown(fields, name, after) &&
      !isShown(fields, name, before),
  );
  if (shown.length === 0) return after;
  const filled = { ...after, ...Object.fromEntries(shown.map(([name, field]) => [name, field.default ?? false])) };
  return fillShownDefaults(fields, after, filled);
};
