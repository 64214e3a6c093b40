import { type Difference, differences } from '@farlink/gateway/kit/difference.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';

const pathOf = ({ row, field }: Difference) => (row === null ? String(field) : field === null ? row : `${row}.${field}`);

/** Paths where two documents differ: a field, a whole row (`key`) or a field of a row (`key.field`). */
export const changedPaths = (page: GatewayPage, before: JsonObject, after: JsonObject): string[] =>
  differences(page, before, after).map(pathOf);

/**
 * Paths that belong to the device after `before` was replaced by `after`: changed values follow no template any more. Values that are reset
 * to `inherited` follow the templates again.
 */
export const ownPathsAfter = (
  page: GatewayPage,
  own: readonly string[],
  before: JsonObject,
  after: JsonObject,
  inherited?: JsonObject,
): string[] => {
  const paths = new Set(own);
  const overridden = inherited && new Set(changedPaths(page, inherited, after));
  for (const change of differences(page, before, after)) {
    const { row, field } = change;
    const isOwn = !overridden || overridden.has(pathOf(change)) || (row !== null && overridden.has(row));
    if (isOwn) paths.add(pathOf(change));
    else paths.delete(pathOf(change));
    if (row === null || field !== null) continue;
    // The row was added or removed, so its field paths are dropped. If the row is inherited, each field is compared by itself.
    for (const name of Object.keys(page.fields)) {
      const fieldPath = `${row}.${name}`;
      if (!isOwn && overridden?.has(fieldPath)) paths.add(fieldPath);
      else paths.delete(fieldPath);
    }
  }
  return [...paths];
};
