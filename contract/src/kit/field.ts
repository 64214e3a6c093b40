import type { Rule, UploadRule } from './rule.ts';
import type { Text } from './text.ts';
import type { Values } from './values.ts';

/**
 * A field defines one value for all uses: table cell, form control, filter parameter, JSON schema property. It has only data and pure
 * predicates.
 */
export type Kind =
  | 'text' // one line
  | 'long' // several lines
  | 'password'
  | 'link' // a text that opens the detail of its row
  | 'int'
  | 'money' // yuan, a string with two decimals
  | 'bool'
  | 'choice' // one of `options`
  | 'option' // the id of a row of `lookup`
  | 'options' // several ids
  | 'time' // epoch seconds
  | 'date' // epoch seconds, chosen by day
  | 'bytes' // 1024-based
  | 'speed' // KB/s, shown and typed in kbps; 0 is unlimited
  | 'rate' // measured KB/s
  | 'duration' // seconds
  | 'progress' // 0-100
  | 'tags' // several texts; from `options`, if any
  | 'states' // several parts of an object, each in one of the states `options`
  | 'color' // #RRGGBB
  | 'clock' // a time of day, HH:MM
  | 'weekdays' // some of 1 (Monday) to 7
  | 'polygon' // [longitude, latitude] of each corner
  | 'ref' // the key of a row of another page of the same configuration, from the pages `of`
  | 'protocols' // pairs of the application-protocol map
  | 'items' // several records of the fields `items`
  | 'grants' // permission item -> '00' | '10' | '11', chosen in the tree of `lookup`
  | 'document' // an object with its own validation
  | 'image' // the path of an image below /agt/v1/, or the paths of several
  | 'file';

export interface Option<Id extends string | number = string | number> {
  readonly id: Id;
  readonly label: Text;
  readonly color?: string;
  /** Shown as a coloured dot with its label instead of a tag. */
  readonly point?: boolean;
}

/** Initial value of a form; several rows or days for list fields. */
export type Default = string | number | boolean | readonly number[] | readonly Values[];

/** One part of an object and its state; `color` overrides the color of the state. */
export interface TagState {
  readonly name: string;
  readonly state: string;
  readonly color?: string | undefined;
}

export interface FieldOptions {
  readonly required?: boolean;
  readonly rules?: readonly Rule[];
  /** Maximum text length; default 25 (spec §9). */
  readonly max?: number;
  readonly tips?: Text;
  readonly default?: Default;
  /** Unit of a number: `s`, `MB`, `dBm`. */
  readonly unit?: string;
  /** Accepted but never returned: a response shows only whether a value exists. */
  readonly secret?: boolean;
  /** For a ref: the pages whose rows are offered. */
  readonly of?: readonly string[];
  /** Active only while this holds for the other values; an inactive field is hidden and ignored. */
  readonly when?: (values: Values) => boolean;
  /** Required only while this holds; the field is always visible. */
  readonly requiredWhen?: (values: Values) => boolean;
  readonly readonly?: boolean;
  /** Read-only: shows the property with this field's name of the option that the field `of` has chosen from `lookup`. */
  readonly echo?: { readonly of: string; readonly lookup: string };
  /** In an action form: starts empty instead of with the value of the row. */
  readonly blank?: boolean;
  readonly hidden?: boolean;
  /** As a column: sortable, full text on hover, hidden by default, fixed width. With `newest`, ties are newest first in ascending order. */
  readonly sort?: boolean | 'newest';
  readonly tooltip?: boolean;
  /** As a column: a long value wraps instead of being cut. */
  readonly noTruncate?: boolean;
  readonly hiddenByDefault?: boolean;
  readonly width?: number;
  readonly mono?: boolean;
  /** As a link: shown instead of the value, which is a URL. */
  readonly linkText?: Text;
  /** Route of the referenced object; `:name` is taken from the row. From several routes, the first with all names present is used. */
  readonly to?: string | readonly string[];
  /** As an empty filter: the value that applies then. */
  readonly unset?: Text;
  /** As a time filter: the longest range. */
  readonly months?: number;
  /**
   * As a text filter of a large table: `name` matches any substring; `code` matches only the start for fewer than three characters; `start`
   * always matches the start; `exact` matches the whole value.
   */
  readonly match?: 'name' | 'code' | 'start' | 'exact';
  /** As a text: known codes, which are shown by their labels. A label as input is its code; other values are shown as they are. */
  readonly codes?: readonly Option<string>[];
  /** As a cell: partly masked. The `reveal` call of the page returns the value and writes the operator log. */
  readonly mask?: boolean;
  readonly upload?: UploadRule;
  /** As a date in a form: the first second of the day instead of the last. */
  readonly start?: boolean;
  /** As a date in a form: offers one, two and three years from now, less a day. */
  readonly quickYears?: boolean;
  /** Parameters that narrow `lookup` or `suggest`. */
  readonly lookupParams?: Values;
  /** Dynamic parameters: values of the form, and `ids` of the rows of an action. */
  readonly lookupBy?: readonly string[];
  /** As a text or tags in a form: the call whose keys are suggested. Tags also accept free input; a text accepts it only with `typed`. */
  readonly suggest?: string;
  /** Shown if there are no options. */
  readonly empty?: Text;
  readonly typed?: boolean;
  /** As a text: the one form in which what is typed is stored and searched. */
  readonly plain?: (typed: string) => string;
}

export interface Field<T = unknown, Required extends boolean = boolean> extends FieldOptions {
  readonly kind: Kind;
  readonly label: Text;
  readonly required: Required;
  readonly rules: readonly Rule[];
  readonly options?: readonly Option[];
  readonly lookup?: string;
  /** Fields of each record of kind `items`. */
  readonly items?: Fields;
  /** Never set: carries the type of the value. */
  readonly value?: T;
}

export type Fields = Readonly<Record<string, Field>>;
export type ValueOf<F> = F extends Field<infer T> ? T : never;

/** Required fields are present; others can be missing (undefined) or cleared (null). */
export type Input<I extends Fields> = {
  readonly [K in keyof I as I[K]['required'] extends true ? K : never]: ValueOf<I[K]>;
} & { readonly [K in keyof I as I[K]['required'] extends true ? never : K]?: ValueOf<I[K]> | null };

type IsRequired<O> = O extends { readonly required: true } ? (O extends { readonly when: unknown } ? false : true) : false;
type Made<T, O> = Field<T, IsRequired<O>>;

const make = <T, O extends FieldOptions>(kind: Kind, label: Text, o: O | undefined, more: Partial<Field> = {}): Made<T, O> => {
  const field: Field = { rules: [], ...o, ...more, kind, label, required: o?.required === true };
  // The only cast from the runtime object to its compile-time type.
  return field as Made<T, O>;
};

const of =
  <T>(kind: Kind) =>
  <const O extends FieldOptions = FieldOptions>(label: Text, o?: O) =>
    make<T, O>(kind, label, o);

export const text = of<string>('text');
export const longText = of<string>('long');
export const password = of<string>('password');
export const link = of<string>('link');
export const int = of<number>('int');
export const money = of<string>('money');
export const bool = of<boolean>('bool');
export const time = of<number>('time');
export const date = of<number>('date');
export const bytes = of<number>('bytes');
export const speed = of<number>('speed');
export const rate = of<number>('rate');
export const duration = of<number>('duration');
export const progress = of<number>('progress');
export const protocols = of<string[]>('protocols');
export const tags = of<string[]>('tags');
export const color = of<string>('color');
export const document = of<Values>('document');
export const clock = of<string>('clock');
export const weekdays = of<readonly number[]>('weekdays');
export const polygon = of<readonly (readonly [number, number])[]>('polygon');
export const image = of<string>('image');
/** Several images. */
export const images = of<readonly string[]>('image');
export const file = of<unknown>('file');

export const choice = <const L extends readonly Option[], const O extends FieldOptions = FieldOptions>(label: Text, options: L, o?: O) =>
  make<L[number]['id'], O>('choice', label, o, { options });

/** Several of `options`. */
export const choices = <const L extends readonly Option<string>[], const O extends FieldOptions = FieldOptions>(
  label: Text,
  options: L,
  o?: O,
) => make<readonly L[number]['id'][], O>('tags', label, o, { options });

export const states = <const L extends readonly Option[], const O extends FieldOptions = FieldOptions>(label: Text, options: L, o?: O) =>
  make<readonly TagState[], O>('states', label, o, { options });

export const option = <const O extends FieldOptions = FieldOptions>(label: Text, lookup: string, o?: O) =>
  make<number, O>('option', label, o, { lookup });

export const options = <const O extends FieldOptions = FieldOptions>(label: Text, lookup: string, o?: O) =>
  make<number[], O>('options', label, o, { lookup });

export const items = <const I extends Fields, const O extends FieldOptions = FieldOptions>(label: Text, fields: I, o?: O) =>
  make<readonly Input<I>[], O>('items', label, o, { items: fields });

export const ref = <const O extends FieldOptions = FieldOptions>(label: Text, pages: readonly string[], o?: O) =>
  make<string, O>('ref', label, o, { of: pages });

export const grants = <const O extends FieldOptions = FieldOptions>(label: Text, lookup: string, o?: O) =>
  make<Record<string, Grant>, O>('grants', label, o, { lookup });

/** Invisible, show only, operable. */
export type Grant = '00' | '10' | '11';

type OptionsOfCopy = FieldOptions & { readonly label?: Text };
type RequiredOfCopy<R extends boolean, O> = O extends { readonly required: boolean } ? IsRequired<O> : R;

/** The same field with other options, for instance another label. */
export const variant = <T, R extends boolean, const O extends OptionsOfCopy>(field: Field<T, R>, o: O): Field<T, RequiredOfCopy<R, O>> => {
  const copy: Field = { ...field, ...o, required: o.required ?? field.required };
  // The same cast as in `make`.
  return copy as Field<T, RequiredOfCopy<R, O>>;
};

export const pick = <F extends Fields, const K extends keyof F>(fields: F, ...keys: K[]): Pick<F, K> => {
  const out: Partial<Pick<F, K>> = {};
  for (const key of keys) out[key] = fields[key];
  return out as Pick<F, K>;
};
