import type { Origin } from '@farlink/contract/config/config.ts';
import { keyOf, rowsOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Inherited } from './inherited.ts';

const own: Origin = { from: 'device', name: null };
const factory: Origin = { from: 'factory', name: null };

const same = (a: Json | undefined, b: Json | undefined) => canonical(a ?? null) === canonical(b ?? null);

/** Where each value comes from: by field, of a list by the key of a row, and by `key.field` where a field is not from where its row is. */
export const originsOf = (page: GatewayPage, doc: JsonObject, { doc: given, origins }: Inherited): Record<string, Origin> => {
  const of = (name: string, isSame: boolean, otherwise: Origin): Origin => (isSame ? (origins[name] ?? otherwise) : own);
  if (page.kind !== 'list')
    return Object.fromEntries(Object.keys({ ...given, ...doc }).map((name) => [name, of(name, same(doc[name], given[name]), factory)]));
  const rows = new Map(rowsOf(given).map((row) => [keyOf(page, row), row]));
  return Object.fromEntries(
    rowsOf(doc).flatMap((row): [string, Origin][] => {
      const key = keyOf(page, row);
      const base = rows.get(key);
      if (!base) return [[key, own]];
      const whole = origins[key] ?? factory;
      const parts = Object.keys({ ...base, ...row }).map((name): [string, Origin] => {
        const part = `${key}.${name}`;
        return [part, of(part, same(row[name], base[name]), whole)];
      });
      return [[key, whole], ...parts.filter(([, origin]) => !same({ ...origin }, { ...whole }))];
    }),
  );
};
