import type { Origin } from '@farlink/contract/config/config.ts';
import { keyOf, rowsOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Inherited } from './inherited.ts';

const own: Origin = { from: 'device', name: null };
const factory: Origin = { from: 'factory', name: null };

const same = (a: Origin, b: Origin) => a.from === b.from && a.name === b.name;

/**
 * Origin of each value: by field; in a list by row key, and by `key.field` if it differs from its row. Values outside `ownPaths` follow a
 * template, even if its last change is not applied yet.
 */
export const originsOf = (
  page: GatewayPage,
  doc: JsonObject,
  { doc: inheritedDoc, origins }: Inherited,
  ownPaths: readonly string[],
): Record<string, Origin> => {
  const owned = new Set(ownPaths);
  const of = (name: string, otherwise: Origin): Origin => (owned.has(name) ? own : (origins[name] ?? otherwise));
  if (page.kind !== 'list') return Object.fromEntries(Object.keys({ ...inheritedDoc, ...doc }).map((name) => [name, of(name, factory)]));
  const rows = new Map(rowsOf(inheritedDoc).map((row) => [keyOf(page, row), row]));
  return Object.fromEntries(
    rowsOf(doc).flatMap((row): [string, Origin][] => {
      const key = keyOf(page, row);
      const base = rows.get(key);
      if (!base || owned.has(key)) return [[key, own]];
      const rowOrigin = origins[key] ?? factory;
      const fields = Object.keys({ ...base, ...row }).map((name): [string, Origin] => [`${key}.${name}`, of(`${key}.${name}`, rowOrigin)]);
      return [[key, rowOrigin], ...fields.filter(([, origin]) => !same(origin, rowOrigin))];
    }),
  );
};
