import { type DifferenceView, keptSecret } from '@farlink/contract/config/config.ts';
import { differences } from '@farlink/gateway/kit/difference.ts';
import { mapSecrets } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import { isObject, type Json, type JsonObject } from '@farlink/gateway/protocol/shape.ts';

/** No text of a document begins like this, so a mark is never mistaken for one. */
const mark = '\u0000secret ';
const isMark = (value: unknown) => typeof value === 'string' && value.startsWith(mark);

const hidden = (value: unknown): unknown => {
  if (isMark(value)) return keptSecret;
  if (Array.isArray(value)) return value.map(hidden);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hidden(one)])) : value;
};

/** What differs between two open documents, for somebody who may not see their secrets: of one of those only that it is another. */
export const shownDifferences = (page: GatewayPage, before: JsonObject, after: JsonObject): DifferenceView[] => {
  const seen = new Map<string, string>();
  const marked = (value: Json) => {
    const key = canonical(value);
    const known = seen.get(key) ?? `${mark}${seen.size}`;
    seen.set(key, known);
    return known;
  };
  const [was, now] = [before, after].map((doc) => mapSecrets(page, doc, marked));
  return differences(page, was ?? {}, now ?? {}).map(({ what, row, field, before: from, after: to }) => {
    const isSecret = isMark(from) || isMark(to);
    return { what, row, field, before: isSecret ? null : hidden(from), after: isSecret ? null : hidden(to) };
  });
};

/** The same for the operator log: what was, and what is, part by part. */
export const loggedChange = (page: GatewayPage, before: JsonObject, after: JsonObject) => {
  const [was, now]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const one of shownDifferences(page, before, after)) {
    const part = [one.row, one.field].filter((name) => name !== null).join('.');
    const isSecret = one.before === null && one.after === null;
    was[part] = isSecret && one.what !== 'added' ? keptSecret : one.before;
    now[part] = isSecret && one.what !== 'removed' ? keptSecret : one.after;
  }
  return { before: was, after: now };
};
