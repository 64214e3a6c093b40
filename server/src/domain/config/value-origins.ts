import type { Origin } from '@farlink/contract/config/config.ts';
import { keyOf, rowsOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
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
  // A value that is not that of the factory stays on the device after its template is disabled.
  const baseOf = (value: Json = null, base: Json = null) => (canonical(value) === canonical(base) ? factory : own);
  const of = (name: string, otherwise: Origin): Origin => (owned.has(name) ? own : (origins[name] ?? otherwise));
  if (page.kind !== 'list') {
    const names = Object.keys({ ...inheritedDoc, ...doc });
    return Object.fromEntries(names.map((name) => [name, of(name, baseOf(doc[name] ?? inheritedDoc[name], inheritedDoc[name]))]));
  }
  const rows = new Map(rowsOf(inheritedDoc).map((row) => [keyOf(page, row), row]));
  return Object.fromEntries(
    rowsOf(doc).flatMap((row): [string, Origin][] => {
      const key = keyOf(page, row);
      const base = rows.get(key);
      if (!base || owned.has(key)) return [[key, own]];
      const rowOrigin = origins[key] ?? factory;
      const fields = Object.keys({ ...base, ...row }).map((name): [string, Origin] => [
        `${key}.${name}`,
        of(`${key}.${name}`, rowOrigin === factory ? baseOf(row[name] ?? base[name], base[name]) : rowOrigin),
      ]);
      return [[key, rowOrigin], ...fields.filter(([, origin]) => !same(origin, rowOrigin))];
    }),
  );
};
