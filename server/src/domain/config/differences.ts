import { type DifferenceView, keptSecret } from '@farlink/contract/config/config.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { differences } from '@farlink/gateway/kit/difference.ts';
import { keyOf, mapSecrets, rowsOf, slicesOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { takeSteps } from '../../kit/jobs/take-steps.ts';

/** No document text starts with this prefix, so a mark cannot be confused with a text. */
const mark = '\u0000secret ';
const isMark = (value: unknown) => typeof value === 'string' && value.startsWith(mark);

const hidden = (value: unknown): unknown => {
  if (isMark(value)) return keptSecret;
  if (Array.isArray(value)) return value.map(hidden);
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hidden(one)])) : value;
};

/** Equal secrets get equal marks. */
const marker = () => {
  const seen = new Map<string, string>();
  return (value: Json) => {
    const key = canonical(value);
    const known = seen.get(key) ?? `${mark}${seen.size}`;
    seen.set(key, known);
    return known;
  };
};

/** Differences of two open documents. A secret shows only that it differs, not its value. */
export const shownDifferences = (page: GatewayPage, before: JsonObject, after: JsonObject, marked = marker()): DifferenceView[] => {
  const [was, now] = [before, after].map((doc) => mapSecrets(page, doc, marked));
  return differences(page, was ?? {}, now ?? {}).map(({ what, row, field, before: from, after: to }) => {
    const isSecret = isMark(from) || isMark(to);
    return { what, row, field, before: isSecret ? null : hidden(from), after: isSecret ? null : hidden(to) };
  });
};

/** `shownDifferences` in steps of some rows: first the current rows against their previous values, then the removed rows. */
function* differencesInSteps(page: GatewayPage, before: JsonObject, after: JsonObject): Generator<void, DifferenceView[]> {
  const was = rowsOf(before);
  const now = rowsOf(after);
  if (page.kind !== 'list' || slicesOf(was).length + slicesOf(now).length === 0) return shownDifferences(page, before, after);
  const known = new Map(was.map((row) => [keyOf(page, row), row]));
  const marked = marker();
  const found: DifferenceView[] = [];
  for (const slice of slicesOf(now).length > 0 ? slicesOf(now) : [now]) {
    const old = slice.flatMap((row) => known.get(keyOf(page, row)) ?? []);
    for (const one of shownDifferences(page, { rows: old }, { rows: slice }, marked)) found.push(one);
    for (const row of slice) known.delete(keyOf(page, row));
    yield;
  }
  const removed = [...known.values()];
  for (const slice of slicesOf(removed).length > 0 ? slicesOf(removed) : [removed]) {
    for (const one of shownDifferences(page, { rows: slice }, { rows: [] }, marked)) found.push(one);
    yield;
  }
  return found;
}

const mergeByPath = (differences: readonly DifferenceView[]) => {
  const [was, now]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const one of differences) {
    const path = [one.row, one.field].filter((name) => name !== null).join('.');
    const isSecret = one.before === null && one.after === null;
    was[path] = isSecret && one.what !== 'added' ? keptSecret : one.before;
    now[path] = isSecret && one.what !== 'removed' ? keptSecret : one.after;
  }
  return { before: was, after: now };
};

/** Same for the operator log: values before and after, by path. */
export const loggedChange = (page: GatewayPage, before: JsonObject, after: JsonObject) =>
  mergeByPath(shownDifferences(page, before, after));

/** `loggedChange` without holding up other requests. */
export const loggedChangeOfMany = async (page: GatewayPage, before: JsonObject, after: JsonObject) =>
  mergeByPath(await takeSteps(differencesInSteps(page, before, after)));
