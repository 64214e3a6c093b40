import { type Difference, differences } from '@farlink/gateway/kit/difference.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';

const pathOf = ({ row, field }: Difference) => (row === null ? String(field) : field === null ? row : `${row}.${field}`);

/** What tells two documents apart: a field, a whole row (`key`) or a field of a row (`key.field`). */
export const changedPaths = (page: GatewayPage, before: JsonObject, after: JsonObject): string[] =>
  differences(page, before, after).map(pathOf);

/**
 * The parts that are the device's own once `after` follows `before`: whatever somebody changed there follows no template any more. What
 * they set back to `inherited`, which is what it would be without a word of its own, follows them again.
 */
export const ownAfter = (
  page: GatewayPage,
  own: readonly string[],
  before: JsonObject,
  after: JsonObject,
  inherited?: JsonObject,
): string[] => {
  const kept = new Set(own);
  const apart = inherited && new Set(changedPaths(page, inherited, after));
  for (const change of differences(page, before, after)) {
    const { row, field } = change;
    const isOwn = !apart || apart.has(pathOf(change)) || (row !== null && apart.has(row));
    if (isOwn) kept.add(pathOf(change));
    else kept.delete(pathOf(change));
    if (row === null || field !== null) continue;
    // A row came or went: what is known of its fields goes with it, and of an inherited one each field speaks for itself.
    for (const name of Object.keys(page.fields)) {
      const part = `${row}.${name}`;
      if (!isOwn && apart?.has(part)) kept.add(part);
      else kept.delete(part);
    }
  }
  return [...kept];
};
