import type { Origin } from '@farlink/contract/config/config.ts';
import type { TemplatePart } from '@farlink/contract/config/config-template.ts';
import type { Field } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { keyOf, listsAbove, readDocument, rowsOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayFields } from '@farlink/gateway/kit/field.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { Problem } from '@farlink/gateway/kit/problem.ts';
import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { type Expanded, expand, type Lookup } from './variables.ts';

/**
 * Computes a section of a device from its layers: factory default, platform templates, VNO templates from the top down, group templates,
 * and finally the device's own values. This module does not use the database.
 */
export interface Layer {
  readonly origin: Origin;
  readonly part: TemplatePart;
  /** Variable values for this device. */
  readonly lookup: Lookup;
}

/** Current section of a device and its own paths: `field`; in a list `key` (present or removed) and `key.field`. */
export interface SectionState {
  readonly doc: JsonObject;
  readonly own: readonly string[];
}

export interface Effective {
  readonly doc: JsonObject;
  /**
   * By field; in a list by row key, and by `key.field` if a field has another origin than its row. A path that is missing is the factory
   * default.
   */
  readonly origins: Readonly<Record<string, Origin>>;
  readonly problems: readonly Problem[];
}

const factory: Origin = { from: 'factory', name: null };
const device: Origin = { from: 'device', name: null };

/** One value with its origin. Null: cleared by that origin. */
interface Cell {
  readonly value: Json;
  readonly origin: Origin;
  readonly lookup?: Lookup;
}
type Cells = Map<string, Cell>;

const starts = new WeakMap<GatewayFields, ReadonlyMap<string, Cell>>();

/** Defaults of all fields, including hidden ones: reading the document drops those. */
const factoryCells = (fields: GatewayFields): ReadonlyMap<string, Cell> => {
  const known = starts.get(fields);
  if (known) return known;
  const cells: Cells = new Map();
  for (const [name, { kind, default: start, reported }] of Object.entries(fields)) {
    const value = start ?? (kind === 'bool' ? false : undefined);
    if (!reported && value !== undefined) cells.set(name, { value: asJson(value), origin: factory });
  }
  starts.set(fields, cells);
  return cells;
};
const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value));

const applyLayer = (fields: GatewayFields, cells: Cells, set: JsonObject, layer: Layer) => {
  for (const [name, value] of Object.entries(set))
    if (fields[name] && !fields[name].reported) cells.set(name, { value, origin: layer.origin, lookup: layer.lookup });
};

interface Finished {
  readonly values: JsonObject;
  readonly origins: Readonly<Record<string, Origin>>;
  readonly problems: readonly Problem[];
}

/** In nested lists, each value is as secret as its own field. */
const expandField = (field: Field | undefined, value: Json, lookup: Lookup): Expanded => {
  const inner = field?.items;
  if (!inner || !Array.isArray(value)) return expand(value, lookup, field?.secret === true);
  const problems: Text[] = [];
  const lines = value.map((line: Json) =>
    isRecord(line)
      ? Object.fromEntries(
          Object.entries(line).map(([name, one]) => {
            const done = expandField(inner[name], asJson(one), lookup);
            problems.push(...done.problems);
            return [name, done.value];
          }),
        )
      : line,
  );
  return { value: lines, problems };
};

/** Variables are resolved last, so that a variable of an overridden value is not reported as missing. */
const finish = (fields: GatewayFields, cells: Cells): Finished => {
  const values: Record<string, Json> = {};
  const origins: Record<string, Origin> = {};
  const problems: Problem[] = [];
  for (const [name, { value, origin, lookup }] of cells) {
    origins[name] = origin;
    if (value === null) continue;
    const expanded = lookup ? expandField(fields[name], value, lookup) : { value, problems: [] };
    values[name] = expanded.value;
    problems.push(...expanded.problems.map((text) => ({ path: name, text })));
  }
  return { values, origins, problems };
};

/** Drops validation problems of fields whose variable is missing, because they repeat the cause. */
const readTogether = (page: GatewayPage, values: JsonObject, missing: readonly Problem[]): { doc: JsonObject; problems: Problem[] } => {
  const { doc, problems } = readDocument(page, values);
  const paths = new Set(missing.map(({ path }) => path));
  const isKnown = (path: string) => paths.has(path) || listsAbove(path).some((list) => paths.has(list));
  return { doc, problems: [...missing, ...problems.filter(({ path }) => !isKnown(path))] };
};

const ofForm = (page: GatewayPage, layers: readonly Layer[], state: SectionState): Effective => {
  const cells: Cells = new Map(factoryCells(page.fields));
  for (const layer of layers) applyLayer(page.fields, cells, layer.part.set ?? {}, layer);
  for (const name of state.own) if (page.fields[name]) cells.set(name, { value: state.doc[name] ?? null, origin: device });
  const { values, origins, problems } = finish(page.fields, cells);
  const read = readTogether(page, values, problems);
  return { ...read, origins: Object.fromEntries(Object.entries(origins).filter(([, origin]) => origin !== factory)) };
};

/** A row field that still has its start value is not the device's own, so a template may set it. */
const isStart = (fields: GatewayFields, start: ReadonlyMap<string, Cell>, name: string, row: JsonObject) =>
  fields[name]?.when?.(row) === false || canonical(start.get(name)?.value ?? null) === canonical(row[name] ?? null);

interface Row {
  /** Origin that adds the row. Undefined: the template only changes a row that another layer adds. */
  origin: Origin | undefined;
  readonly cells: Cells;
}

const ofList = (page: GatewayPage, layers: readonly Layer[], state: SectionState): Effective => {
  const keyField = page.keyField ?? '';
  const start = factoryCells(page.fields);
  const rows = new Map<string, Row>();
  const keyProblems: Problem[] = [];
  const rowOf = (key: string): Row => {
    const known = rows.get(key);
    if (known) return known;
    const made: Row = { origin: undefined, cells: new Map(start) };
    rows.set(key, made);
    return made;
  };
  for (const layer of layers)
    for (const templateRow of layer.part.rows ?? []) {
      const { value, problems } = expand(templateRow.key, layer.lookup);
      keyProblems.push(...problems.map((text) => ({ path: 'rows', text })));
      if (problems.length > 0) continue;
      const row = rowOf(String(value));
      if (!templateRow.only) row.origin = layer.origin;
      applyLayer(page.fields, row.cells, templateRow.set, layer);
    }
  const own = new Set(state.own);
  const deviceRows = new Map(rowsOf(state.doc).map((row) => [keyOf(page, row), row]));
  for (const [key, was] of deviceRows) {
    const isOwn = own.has(key);
    if (isOwn) rowOf(key).origin = device;
    const row = rows.get(key);
    for (const name of Object.keys(page.fields))
      if (own.has(`${key}.${name}`) || (isOwn && !isStart(page.fields, start, name, was)))
        row?.cells.set(name, { value: was[name] ?? null, origin: device });
  }
  // The device has removed this row.
  for (const key of rows.keys()) if (own.has(key) && !deviceRows.has(key)) rows.delete(key);

  const order = [...[...deviceRows.keys()].filter((key) => rows.has(key)), ...[...rows.keys()].filter((key) => !deviceRows.has(key))];
  const origins: Record<string, Origin> = {};
  const problems: Problem[] = [...keyProblems];
  const values: JsonObject[] = [];
  for (const key of order) {
    const row = rows.get(key);
    if (!row?.origin) continue;
    // The key is stored with the type of its field: a number stays a number.
    const keyCell: Cell = { value: deviceRows.get(key)?.[keyField] ?? key, origin: row.origin };
    const done = finish(page.fields, row.cells.set(keyField, keyCell));
    origins[key] = row.origin;
    for (const [name, origin] of Object.entries(done.origins))
      if (origin !== row.origin && origin !== factory) origins[`${key}.${name}`] = origin;
    problems.push(...done.problems.map(({ path, text }) => ({ path: `rows[${values.length}].${path}`, text })));
    values.push(done.values);
  }
  return { ...readTogether(page, { rows: values }, problems), origins };
};

/** Document of a section and the origin of each value. `layers` are ordered from the farthest to the nearest. */
export const effective = (page: GatewayPage, layers: readonly Layer[], state: SectionState): Effective =>
  page.kind === 'list' ? ofList(page, layers, state) : ofForm(page, layers, state);
