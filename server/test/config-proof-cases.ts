import { rowsOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { sampleConfig } from '@farlink/gateway/kit/sample.ts';
import { type FieldPosition, invalidsOf } from '@farlink/gateway/kit/sample-invalid.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';

/** Invalid values for every field, in as few documents as possible. Each must still be refused at its own field. */

export const groupsOf = <T>(all: readonly T[], size: number) =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

interface Case {
  readonly path: string;
  /** Index within the invalid values of its field. */
  readonly round: number;
  readonly alone: boolean;
  readonly good: JsonObject;
  readonly bad: JsonObject;
}

const long = sampleConfig({ seed: 0, rows: () => 64 });
/** Rows are identified by key, so keys must be unique. */
const keysFor = (page: GatewayPage): readonly (Json | undefined)[] => {
  const field = page.fields[page.keyField ?? ''];
  if (field?.kind === 'ref') return Array.from({ length: 64 }, (_, i) => `row${i}`);
  return rowsOf(long.get(page.key) ?? {}).map((row) => row[page.keyField ?? '']);
};

/** Combines rows of many invalid documents into one: each keeps its fault, at its new index. */
const rowsTogether = (page: GatewayPage, cases: readonly Case[]) => {
  const keys = keysFor(page);
  const faults = cases.filter(({ path }) => path !== 'rows');
  return groupsOf(faults, Math.min(page.maxRows ?? 1, keys.length)).map((group) => {
    const rows = group.map(({ path, bad }, i): JsonObject => {
      const row = rowsOf(bad)[Number(/^rows\[(\d+)\]/.exec(path)?.[1])] ?? {};
      const isKey = path.endsWith(`].${page.keyField}`);
      return isKey ? row : { ...row, [page.keyField ?? '']: keys[i] ?? null };
    });
    return { paths: group.map(({ path }, i) => path.replace(/^rows\[\d+\]/, `rows[${i}]`)), doc: { rows } };
  });
};

/** Combines faults of several form fields into one document. */
const fieldsTogether = (cases: readonly Case[]) => {
  const apart = Map.groupBy(
    cases.filter(({ alone }) => !alone),
    ({ round, good, path }) => `${round} ${path.includes('[') ? path : ''} ${JSON.stringify(good)}`,
  );
  return [...apart.values()].map((group) => {
    const faults = group.map(({ path }) => path.replace(/\[.*/, ''));
    const good: JsonObject = group[0]?.good ?? {};
    const faultyFields = group.flatMap(({ bad }, i): [string, Json][] => {
      const value = bad[faults[i] ?? ''];
      return value === undefined ? [] : [[faults[i] ?? '', value]];
    });
    const rest = Object.entries(good).filter(([name]) => !faults.includes(name));
    return { paths: group.map(({ path }) => path), doc: Object.fromEntries([...rest, ...faultyFields]) };
  });
};

export interface InvalidDocument {
  /** Paths that must be refused, and no others. */
  readonly paths: readonly string[];
  readonly doc: JsonObject;
}

/**
 * For a list: one fault per row, with as many rows as allowed. For a form: one invalid value per field, alone if other fields depend on it.
 */
export const invalidDocumentsOf = (page: GatewayPage, positions: readonly FieldPosition[]): readonly InvalidDocument[] => {
  const cases = positions.flatMap(({ path, field, value, controlsOthers, with: put }) =>
    invalidsOf(field, value).map((bad, round): Case => ({ path, round, alone: controlsOthers, good: put(value), bad: put(bad.value) })),
  );
  const apart = cases.filter(({ path, alone }) => (page.kind === 'list' ? path === 'rows' : alone));
  const together = page.kind === 'list' ? rowsTogether(page, cases) : fieldsTogether(cases);
  return [...apart.map(({ path, bad }) => ({ paths: [path], doc: bad })), ...together];
};
