import { initialValues, rowsOf } from '../../../kit/document.ts';
import type { GatewayPage } from '../../../kit/page.ts';
import type { DocOf } from '../../../kit/problem.ts';
import type { JsonObject } from '../../../protocol/shape.ts';

/** Wizard field by document path: `network_lan.rows[0].ipaddr`, or the whole section. */
type Paths = Map<string, string>;

export interface GuideResult {
  readonly docs: ReadonlyMap<string, JsonObject>;
  readonly paths: ReadonlyMap<string, string>;
}

/** Field of the page to field of the wizard. */
type FieldMap = Readonly<Record<string, string>>;

/** The documents that a wizard changes, based on the current ones. */
export class GuideWriter {
  readonly #docOf: DocOf;
  readonly #values: JsonObject;
  readonly #docs = new Map<string, JsonObject>();
  readonly #paths: Paths = new Map();

  constructor(values: JsonObject, docOf: DocOf) {
    this.#values = values;
    this.#docOf = docOf;
  }

  doc(page: GatewayPage): JsonObject {
    return this.#docs.get(page.key) ?? this.#docOf(page.key);
  }

  rows(page: GatewayPage): readonly JsonObject[] {
    return rowsOf(this.doc(page));
  }

  /** Wizard values under the field names of the page; a missing value removes the old one. */
  #mappedValues(fieldMap: FieldMap): JsonObject {
    const values = Object.entries(fieldMap).flatMap(([name, from]) => {
      const value = this.#values[from];
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(values);
  }

  #without(doc: JsonObject, fieldMap: FieldMap): JsonObject {
    return Object.fromEntries(Object.entries(doc).filter(([name]) => fieldMap[name] === undefined));
  }

  #notePath(page: GatewayPage, at: string, fieldMap: FieldMap) {
    for (const [name, from] of Object.entries(fieldMap)) this.#paths.set(`${page.key}.${at}${name}`, from);
    const [first] = Object.values(fieldMap);
    if (first !== undefined && !this.#paths.has(page.key)) this.#paths.set(page.key, first);
  }

  form(page: GatewayPage, fieldMap: FieldMap, fixed: JsonObject = {}) {
    const was = { ...initialValues(page.fields), ...this.doc(page) };
    this.#docs.set(page.key, { ...this.#without(was, fieldMap), ...fixed, ...this.#mappedValues(fieldMap) });
    this.#notePath(page, '', fieldMap);
  }

  /** Changes the first matching row, or adds one at the end. */
  row(page: GatewayPage, fits: (row: JsonObject) => boolean, fieldMap: FieldMap, fixed: JsonObject = {}, initial: JsonObject = {}) {
    const rows = this.rows(page);
    const found = rows.findIndex(fits);
    const i = found < 0 ? rows.length : found;
    const was = rows[i] ?? { ...initialValues(page.fields), ...initial };
    const row = { ...this.#without(was, fieldMap), ...fixed, ...this.#mappedValues(fieldMap) };
    this.#docs.set(page.key, { ...this.doc(page), rows: [...rows.slice(0, i), row, ...rows.slice(i + 1)] });
    this.#notePath(page, `rows[${i}].`, fieldMap);
    return row;
  }

  /** Maps every row. */
  each(page: GatewayPage, change: (row: JsonObject) => JsonObject) {
    this.#docs.set(page.key, { ...this.doc(page), rows: this.rows(page).map(change) });
  }

  get result(): GuideResult {
    return { docs: this.#docs, paths: this.#paths };
  }
}
