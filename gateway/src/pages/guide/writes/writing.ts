import { rowsOf, startOf } from '../../../kit/document.ts';
import type { GatewayPage } from '../../../kit/page.ts';
import type { DocOf } from '../../../kit/problem.ts';
import type { JsonObject } from '../../../protocol/shape.ts';

/** Wizard field by document path: `network_lan.rows[0].ipaddr`, or the whole section. */
type Paths = Map<string, string>;

export interface Written {
  readonly docs: ReadonlyMap<string, JsonObject>;
  readonly paths: ReadonlyMap<string, string>;
}

/** Field of the page to field of the wizard. */
type Taken = Readonly<Record<string, string>>;

/** The documents that a wizard changes, based on the current ones. */
export class Writing {
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
  #take(taken: Taken): JsonObject {
    const values = Object.entries(taken).flatMap(([name, from]) => {
      const value = this.#values[from];
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(values);
  }

  #without(doc: JsonObject, taken: Taken): JsonObject {
    return Object.fromEntries(Object.entries(doc).filter(([name]) => taken[name] === undefined));
  }

  #notePath(page: GatewayPage, at: string, taken: Taken) {
    for (const [name, from] of Object.entries(taken)) this.#paths.set(`${page.key}.${at}${name}`, from);
    const [first] = Object.values(taken);
    if (first !== undefined && !this.#paths.has(page.key)) this.#paths.set(page.key, first);
  }

  form(page: GatewayPage, taken: Taken, more: JsonObject = {}) {
    const was = { ...startOf(page.fields), ...this.doc(page) };
    this.#docs.set(page.key, { ...this.#without(was, taken), ...more, ...this.#take(taken) });
    this.#notePath(page, '', taken);
  }

  /** Changes the first matching row, or adds one at the end. */
  row(page: GatewayPage, fits: (row: JsonObject) => boolean, taken: Taken, more: JsonObject = {}, fresh: JsonObject = {}) {
    const rows = this.rows(page);
    const found = rows.findIndex(fits);
    const i = found < 0 ? rows.length : found;
    const was = rows[i] ?? { ...startOf(page.fields), ...fresh };
    const row = { ...this.#without(was, taken), ...more, ...this.#take(taken) };
    this.#docs.set(page.key, { ...this.doc(page), rows: [...rows.slice(0, i), row, ...rows.slice(i + 1)] });
    this.#notePath(page, `rows[${i}].`, taken);
    return row;
  }

  /** Maps every row. */
  each(page: GatewayPage, change: (row: JsonObject) => JsonObject) {
    this.#docs.set(page.key, { ...this.doc(page), rows: this.rows(page).map(change) });
  }

  get written(): Written {
    return { docs: this.#docs, paths: this.#paths };
  }
}
