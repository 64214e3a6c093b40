import { keptSecret } from '@farlink/contract/config/config.ts';
import { isEmpty } from '@farlink/contract/kit/check.ts';
import type { Module } from '@farlink/contract/kit/endpoint.ts';
import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import type { Difference } from '@farlink/contract/log/operator-log.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { fieldFinder, moduleLabel } from './log-fields.ts';
import { plainText, valueText } from './value-text.ts';

const changed: Text = ['已变更', 'Changed'];

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
const keysOf = (...all: readonly (Values | undefined)[]) => [...new Set(all.flatMap((values) => Object.keys(values ?? {})))];
const recordOf = (value: unknown): Values | undefined => (isRecord(value) ? value : undefined);

/** Row and field of a path. On a list page the rest before the field is the key of a row; without a field, the value is the whole row. */
const splitPath = (page: GatewayPage, path: string): { row?: string; field?: string } => {
  if (Object.hasOwn(page.fields, path)) return { field: path };
  const at = path.lastIndexOf('.');
  const field = path.slice(at + 1);
  return at > 0 && Object.hasOwn(page.fields, field) ? { row: path.slice(0, at), field } : { row: path };
};

/** Changes of a configuration page, one line per field. */
const pageDifferences = (page: GatewayPage, before: Values | undefined, after: Values | undefined, lang: Lang): Difference[] => {
  const line = (row: string | undefined, name: string, was: unknown, now: unknown): Difference => {
    const field = page.fields[name];
    const isKept = (was === keptSecret || was === '******') && was === now;
    return {
      field: [page.key, row, name].filter((part) => part !== undefined).join('.'),
      label: [say(page.title, lang), row, field ? say(field.label, lang) : name].filter((part) => part !== undefined).join(' · '),
      before: field ? valueText(field, was, now, lang) : plainText(was, now),
      after: isKept ? say(changed, lang) : field ? valueText(field, now, was, lang) : plainText(now, was),
    };
  };
  return keysOf(before, after).flatMap((path) => {
    const was = before?.[path];
    const now = after?.[path];
    const { row, field } = splitPath(page, path);
    if (field !== undefined || !(isRecord(was) || isRecord(now))) return line(row, field ?? '', was, now);
    const old = recordOf(was);
    const made = recordOf(now);
    return Object.keys(page.fields).flatMap((name) =>
      isEmpty(old?.[name]) && isEmpty(made?.[name]) ? [] : line(row, name, old?.[name], made?.[name]),
    );
  });
};

/** Values of a part of a template by path, as the changes of a page. */
const partByPath = (part: Values | undefined): Values => {
  const rows: readonly unknown[] = Array.isArray(part?.rows) ? part.rows : [];
  const ofRow = (row: unknown) =>
    isRecord(row) ? Object.entries(recordOf(row.set) ?? {}).map(([name, value]) => [`${row.key}.${name}`, value] as const) : [];
  return { ...recordOf(part?.set), ...Object.fromEntries(rows.flatMap(ofRow)) };
};

const partDifferences = (before: Values | undefined, after: Values | undefined, lang: Lang): Difference[] =>
  keysOf(before, after).flatMap((key) => {
    const page = gatewayPages.get(key);
    const was = partByPath(recordOf(before?.[key]));
    const now = partByPath(recordOf(after?.[key]));
    const differing = keysOf(was, now).filter((path) => !isSame(was[path], now[path]));
    const only = (values: Values) => Object.fromEntries(differing.map((path) => [path, values[path]]));
    return page ? pageDifferences(page, only(was), only(now), lang) : [];
  });

export interface LoggedChange {
  readonly call: string | null;
  readonly module: Module;
  readonly before: Values | null;
  readonly after: Values | null;
}

/** Values before and after, with the labels of the call; unchanged values are omitted. Lines without a call have labels of their module. */
export const differencesOf = ({ call, module, before, after }: LoggedChange, lang: Lang): Difference[] => {
  const fieldOf = call === null ? undefined : fieldFinder(call);
  return keysOf(before ?? undefined, after ?? undefined).flatMap((name): Difference[] => {
    const was = before?.[name];
    const now = after?.[name];
    const page = gatewayPages.get(name);
    // A changed secret is stored as the same placeholder on both sides.
    if (fieldOf && page && (isRecord(was) || isRecord(now))) return pageDifferences(page, recordOf(was), recordOf(now), lang);
    if (name !== 'password' && isSame(was, now)) return [];
    if (fieldOf && name === 'sections') return partDifferences(recordOf(was), recordOf(now), lang);
    const field = fieldOf?.(name);
    const label = field?.label ?? (fieldOf ? undefined : moduleLabel(module, name)) ?? [name, name];
    const text = (value: unknown, other: unknown) => (field ? valueText(field, value, other, lang) : plainText(value, other));
    return [{ field: name, label: say(label, lang), before: text(was, now), after: text(now, was) }];
  });
};
