import type { Rule, UploadRule } from './rule.ts';
import type { Text } from './text.ts';
import type { Values } from './values.ts';

/**
 * A field is one piece of data seen from every side: the cell of a table, the control of a form, the parameter of a filter,
 * the property of a JSON schema. It holds data and pure predicates, nothing else.
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
  | 'option' // the id of a row that `lookup` lists
  | 'options' // several such ids
  | 'time' // epoch seconds
  | 'date' // the same, chosen by the day
  | 'bytes' // 1024-based
  | 'speed' // KB/s, shown and typed in kbps; 0 is unlimited
  | 'duration' // seconds
  | 'progress' // 0-100
  | 'tags' // several words; of `options`, where there are any
  | 'states' // several parts of a thing, each in one of the states `options`
  | 'color' // #RRGGBB
  | 'clock' // a time of day, HH:MM
  | 'weekdays' // some of 1 (Monday) to 7
  | 'polygon' // [longitude, latitude] of each corner
  | 'ref' // the key of a row of another page of the same configuration: one of `of`
  | 'protocols' // pairs of the application-protocol map
  | 'items' // several records of the fields `items`
  | 'grants' // permission item -> '00' | '10' | '11', chosen in the tree that `lookup` answers
  | 'document' // an object that is checked by whoever knows what it is
  | 'image' // the path of a picture below /agt/v1/
  | 'file';

export interface Option<Id extends string | number = string | number> {
  readonly id: Id;
  readonly label: Text;
  readonly color?: string;
  /** Shown as a coloured point beside its word instead of a tag. */
  readonly point?: boolean;
}

/** What a form starts with; several lines or days where the field holds several. */
export type Default = string | number | boolean | readonly number[] | readonly Values[];

/** One part of a thing and how it is; its colour where the state alone does not say it. */
export interface TagState {
  readonly name: string;
  readonly state: string;
  readonly color?: string | undefined;
}

export interface FieldOptions {
  readonly required?: boolean;
  readonly rules?: readonly Rule[];
  /** Longest text; 25 where nothing is said (spec §9). */
  readonly max?: number;
  readonly tips?: Text;
  readonly default?: Default;
  /** What a number counts: `s`, `MB`, `dBm`. */
  readonly unit?: string;
  /** Taken but never answered: an answer says only whether there is one. */
  readonly secret?: boolean;
  /** As a ref: the pages whose rows are offered. */
  readonly of?: readonly string[];
  /** Active only while this holds for the other values; an inactive field is neither shown nor taken. */
  readonly when?: (values: Values) => boolean;
  /** Required only while this holds; the field is there either way. */
  readonly requiredWhen?: (values: Values) => boolean;
  readonly readonly?: boolean;
  /** Readonly: what the option that the field `of` has chosen among those of `lookup` says under this field's name. */
  readonly echo?: { readonly of: string; readonly lookup: string };
  /** In the form of a deed: starts empty, because what the row has under this name is not what it is to get. */
  readonly blank?: boolean;
  readonly hidden?: boolean;
  /** As a column: may be sorted, shows its whole text on hover, is left out until chosen, keeps a width. Of a few kinds, `newest` comes first. */
  readonly sort?: boolean | 'newest';
  readonly tooltip?: boolean;
  /** As a column: a long value takes more lines instead of being cut. */
  readonly whole?: boolean;
  readonly off?: boolean;
  readonly width?: number;
  readonly mono?: boolean;
  /** As a link: said in place of the value, which is an address. */
  readonly linkText?: Text;
  /** The route of the object that it names; `:name` is taken from the row. Of several, the first whose names are all known. */
  readonly to?: string | readonly string[];
  /** As a filter on time: the longest range that may be asked for. */
  readonly months?: number;
  /**
   * As a text filter of a large table: `name` finds any part of it, `code` finds the start where fewer than three characters are typed,
   * `start` finds the start alone.
   */
  readonly match?: 'name' | 'code' | 'start';
  /** As a cell: the answer hides part of it, and the page's `reveal` shows the rest, which is written to the operator log. */
  readonly mask?: boolean;
  readonly upload?: UploadRule;
  /** As a date in a form: the first second of the day instead of its last. */
  readonly start?: boolean;
  /** As a date in a form: offers one, two and three years from now, less a day. */
  readonly quickYears?: boolean;
  /** Narrows what `lookup` or `suggest` lists. */
  readonly lookupParams?: Values;
  /** Narrows it likewise: parameters of the page at hand, and `ids` of the rows that a deed is for. */
  readonly lookupBy?: readonly string[];
  /** As a text or tags in a form: the call whose keys are offered. A tag may also be typed, a text only where it says so. */
  readonly suggest?: string;
  /** Said where nothing is offered. */
  readonly empty?: Text;
  readonly typed?: boolean;
}

export interface Field<T = unknown, Required extends boolean = boolean> extends FieldOptions {
  readonly kind: Kind;
  readonly label: Text;
  readonly required: Required;
  readonly rules: readonly Rule[];
  readonly options?: readonly Option[];
  readonly lookup?: string;
  /** What each record of a field of kind `items` holds. */
  readonly items?: Fields;
  /** Never set: carries the type of the value. */
  readonly value?: T;
}

export type Fields = Readonly<Record<string, Field>>;
export type ValueOf<F> = F extends Field<infer T> ? T : never;

/** Required fields are there; the others may be absent (undefined) or emptied (null). */
export type Input<I extends Fields> = {
  readonly [K in keyof I as I[K]['required'] extends true ? K : never]: ValueOf<I[K]>;
} & { readonly [K in keyof I as I[K]['required'] extends true ? never : K]?: ValueOf<I[K]> | null };

type IsRequired<O> = O extends { readonly required: true } ? (O extends { readonly when: unknown } ? false : true) : false;
type Made<T, O> = Field<T, IsRequired<O>>;

const make = <T, O extends FieldOptions>(kind: Kind, label: Text, o: O | undefined, more: Partial<Field> = {}): Made<T, O> => {
  const field: Field = { rules: [], ...o, ...more, kind, label, required: o?.required === true };
  // The one place where a runtime object takes on its compile-time face.
  return field as Made<T, O>;
};

const of =
  <T>(kind: Kind) =>
  <const O extends FieldOptions = FieldOptions>(label: Text, o?: O) =>
    make<T, O>(kind, label, o);

export const text = of<string>('text');
export const long = of<string>('long');
export const password = of<string>('password');
export const link = of<string>('link');
export const int = of<number>('int');
export const money = of<string>('money');
export const bool = of<boolean>('bool');
export const time = of<number>('time');
export const date = of<number>('date');
export const bytes = of<number>('bytes');
export const speed = of<number>('speed');
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

/** The same field with another face, for instance another label in another form. */
export const as = <T, R extends boolean>(field: Field<T, R>, o: FieldOptions & { readonly label?: Text }): Field<T, R> => ({
  ...field,
  ...o,
  required: field.required,
});

export const pick = <F extends Fields, const K extends keyof F>(fields: F, ...keys: K[]): Pick<F, K> => {
  const out: Partial<Pick<F, K>> = {};
  for (const key of keys) out[key] = fields[key];
  return out as Pick<F, K>;
};
